// nibble-look: bench, asm, traffic, report, glyphs and onnx, which nibble hands on.
#include "cli/words.hpp"

int main(int argc, char** argv) {
  using namespace nibble::cli;
  return obey_words(argc, argv,
                    {bench_command,
                     asm_command,
                     traffic_command,
                     report_command,
                     glyphs_command,
                     onnx_command,
                     {}});
}
