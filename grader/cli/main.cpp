// nibble: the learner's command.
#include "cli/hand_on.hpp"

int main(int argc, char** argv) { return nibble::cli::obey_or_hand_on(argc, argv); }
