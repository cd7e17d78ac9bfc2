// attack: makes everything public before the contract is read
// rule: V11
// expect: honest
#include <sstream>
#define private public
#define protected public
@HEAD@
