// attack: replaces the rounding of the mathematics library
// rule: V1
// expect: points <= 4
extern "C" float nearbyintf(float x) { return x + 1.0f; }
extern "C" double nearbyint(double x) { return x + 1.0; }
