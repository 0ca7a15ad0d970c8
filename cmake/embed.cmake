# cmake -DNAME=page_css -DIN=page.css -DOUT=page_css.inc -P embed.cmake: a text file as a C++ string constant.
file(READ ${IN} text)
file(WRITE ${OUT} "constexpr std::string_view ${NAME} = R\"~page~(${text})~page~\";\n")
