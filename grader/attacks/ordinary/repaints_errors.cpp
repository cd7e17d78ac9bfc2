// attack: puts escape sequences into an error of the compiler
// rule: V8
// expect: no_compile
#error "[2J[32m100 of 100 points[0m"
