// Lab 18: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_18_cuda_host {

// clang-format off
constexpr Mark marks[] = {
    // exercise                  check                     points  code           sentence of the contract
    {"copy_through_device",      "EverySize",                  3, "N-UNWRITTEN",  "y[i] = x[i], by way of two buffers of the device"},
    {"copy_through_device",      "RunsClean",                  3, "N-LEAK",       "nothing is left behind; each side of a copy is what it says"},
    {"copy_through_device",      "EveryErrorComesBack",        3, "N-UNCHECKED",  "the error of the call that failed, and nothing more is begun"},
    {"quantize_on_device",       "EverySize",                  4, "N-FORMULA",    "as many blocks as n elements need"},
    {"quantize_on_device",       "RefusedLaunchComesBack",     3, "N-UNCHECKED",  "a block_size that the device refuses: the launch's error"},
    {"quantize_on_device",       "RunsClean",                  3, "N-LEAK",       "nothing is left behind on the way out"},
    {"quantize_on_device",       "EveryErrorComesBack",        3, "N-UNCHECKED",  "a launch tells its error to cudaGetLastError() alone"},
    {"count_codes",              "EverySize",                  3, "N-FORMULA",    "counts[c + 128] = how many of q are c"},
    {"count_codes",              "RunsClean",                  3, "N-UNINIT",     "memory from cudaMalloc holds anything"},
    {"count_codes",              "EveryErrorComesBack",        2, "N-UNCHECKED",  "the error of the call that failed, and nothing more is begun"},
    {"quantize_in_chunks",       "EveryOrderOfStreams",        5, "N-WAIT",       "memory is used again when its stream has been waited for"},
    {"quantize_in_chunks",       "EverySize",                  4, "N-TAIL",       "the last chunk may be shorter"},
    {"quantize_in_chunks",       "RunsClean",                  3, "N-WAIT",       "both streams have work at the same time, and nothing is left behind"},
    {"quantize_in_chunks",       "EveryErrorComesBack",        3, "N-UNCHECKED",  "the error of the call that failed, and nothing more is begun"},
    {"quantize_with_own_scale",  "EveryOrderOfStreams",        4, "N-WAIT",       "neither half is quantized before the other has found its maximum"},
    {"quantize_with_own_scale",  "EverySize",                  4, "N-TAIL",       "the first n/2 elements, and the others"},
    {"quantize_with_own_scale",  "RunsClean",                  3, "N-LEAK",       "both streams have work at the same time, and nothing is left behind"},
    {"quantize_with_own_scale",  "EveryErrorComesBack",        3, "N-UNCHECKED",  "the error of the call that failed, and nothing more is begun"},
    {"multiply_on_device",       "EveryOrderOfStreams",        5, "N-WAIT",       "c = a * b, and no kernel begins before b is there"},
    {"multiply_on_device",       "EverySize",                  5, "N-TAIL",       "blocks need divide neither the rows nor the columns"},
    {"multiply_on_device",       "RunsClean",                  3, "N-LEAK",       "both streams have work at the same time, and b is there once"},
    {"multiply_on_device",       "EveryErrorComesBack",        3, "N-UNCHECKED",  "the error of the call that failed, and nothing more is begun"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("18_cuda_host", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"copy_through_device",      "EqualsTheDefinition", 3, "", "y, on data and sizes nobody has seen"},
    {"quantize_on_device",       "EqualsTheDefinition", 4, "", "q, on data and sizes nobody has seen"},
    {"count_codes",              "EqualsTheDefinition", 3, "", "counts, on data and sizes nobody has seen"},
    {"quantize_in_chunks",       "EqualsTheDefinition", 5, "", "q, on data and sizes nobody has seen"},
    {"quantize_with_own_scale",  "EqualsTheDefinition", 5, "", "q and scale, on data and sizes nobody has seen"},
    {"multiply_on_device",       "EqualsTheDefinition", 5, "", "c, on data and sizes nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_18_cuda_host
