// attack: brings a main of its own
// rule: V11
// expect: no_compile
int main() { return 0; }
