// attack: includes a file of the user, to read it in the errors
// rule: V14
// expect: no_compile
// needs: sandbox
#include "@SECRETS@/results.json"
