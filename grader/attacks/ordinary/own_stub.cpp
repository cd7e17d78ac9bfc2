// attack: replaces the function that packs the answers (an inline one, hence replaceable)
// rule: V3
// expect: points 0
extern "C" void answers_nothing(std::byte*, std::byte*) asm(
    "_ZN6nibble6runner4StubIXadL_ZNS_18quantize_symmetricESt4spanIKfLm18446744073709551615EEiEEE"
    "6invokeEPSt4byteS7_");
extern "C" void answers_nothing(std::byte*, std::byte*) {}
