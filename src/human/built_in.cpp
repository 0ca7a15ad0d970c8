#include "human/built_in.h"

// The assembler copies the file; the build says where it is.
asm(".pushsection .rodata\n"
    ".balign 16\n"
    "pm_built_in_network_begin:\n"
    ".incbin \"" POSTMORTEM_NETWORK
    "\"\n"
    "pm_built_in_network_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" const char pm_built_in_network_begin[];
extern "C" const char pm_built_in_network_end[];

namespace pm::human {

std::string_view built_in_network() {
  return {pm_built_in_network_begin, static_cast<std::size_t>(pm_built_in_network_end - pm_built_in_network_begin)};
}

}  // namespace pm::human
