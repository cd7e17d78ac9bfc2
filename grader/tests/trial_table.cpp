#include "runner/serve.hpp"
#include "trial.hpp"
NIBBLE_SERVE()
