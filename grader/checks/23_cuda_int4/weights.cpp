// Lab 23: a matrix of weights, and what it is multiplied by: the checks.
#include "checks/23_cuda_int4/weights.hpp"

namespace nibble::judge::lab_23_cuda_int4 {
namespace {

std::string show_size(const Int4Case& c) { return "m x n x k = " + c.name; }

}  // namespace
}  // namespace nibble::judge::lab_23_cuda_int4
