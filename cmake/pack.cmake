# pm_pack(ENTRY SOURCE FILES...): packs an entry of web/ (web/build.mjs) at build time and gives SOURCE, which compiles
# the FILES in, their folder as POSTMORTEM_<ENTRY>. The target web_<ENTRY> makes them alone.
function(pm_pack entry source)
  set(out ${PROJECT_BINARY_DIR}/packed/${entry})
  list(TRANSFORM ARGN PREPEND ${out}/ OUTPUT_VARIABLE files)
  if(POSTMORTEM_COVERAGE)
    set(map --map)
  endif()
  # What a packed page is made of stands in the depfile, from the second build on.
  add_custom_command(OUTPUT ${files}
    COMMAND node ${PROJECT_SOURCE_DIR}/web/build.mjs ${entry} ${out} ${map}
    DEPENDS ${PROJECT_SOURCE_DIR}/web/build.mjs ${PROJECT_SOURCE_DIR}/package-lock.json
    DEPFILE ${out}/inputs.d
    COMMENT "Packing the ${entry}"
    VERBATIM)
  add_custom_target(web_${entry} DEPENDS ${files})
  string(TOUPPER ${entry} name)
  set_source_files_properties(${source} PROPERTIES
    COMPILE_DEFINITIONS "POSTMORTEM_${name}=\"${out}\"" OBJECT_DEPENDS "${files}")
endfunction()
