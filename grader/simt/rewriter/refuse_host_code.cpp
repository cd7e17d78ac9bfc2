// Refuses what would run on the host in a file of kernels: functions without __device__, and
// variables that are no constants.
#include <algorithm>
#include <array>
#include <set>

#include "simt/rewriter/refusals.hpp"

namespace nibble::simt {
namespace {

constexpr auto kDeviceFunction = std::to_array<std::string_view>(
    {"__device__", "__global__", "NIBBLE_KERNEL", "constexpr", "consteval"});
constexpr auto kDeviceVariable =
    std::to_array<std::string_view>({"__device__", "__constant__", "__managed__", "constexpr"});

class HostCode {
 public:
  HostCode(const Tokens& tokens, std::vector<Complaint>& complaints)
      : tokens_(tokens), complaints_(complaints) {}

  void look_at(const Declaration& declaration) {
    if (declaration.what == Declares::kDefinedFunction) look_at_function(declaration);
    if (declaration.what == Declares::kVariables && !declaration.is_member) {
      look_at_variables(declaration);
    }
  }

  /// `#define DEVICE __device__ __forceinline__` is as good as the words themselves.
  void learn_macros() {
    for (int i = 0; i < tokens_.size(); i++) {
      if (tokens_[i].kind != TokenKind::kHash) continue;
      const int end = tokens_.partner(i);
      if (tokens_[i + 1].is("define") && holds(i + 3, end, kDeviceFunction)) {
        macros_.insert(tokens_[i + 2].text);
      }
      i = end;
    }
  }

 private:
  template <class Words>
  bool holds(int first, int end, const Words& words) const {
    for (int i = first; i < end; i++) {
      if (std::ranges::count(words, tokens_[i].text) > 0) return true;
      if (tokens_[i].kind == TokenKind::kName && macros_.contains(tokens_[i].text)) return true;
    }
    return false;
  }
  void complain(int i, std::string message) {
    complaints_.push_back(tokens_.complain(tokens_[i], std::move(message)));
  }

  void look_at_function(const Declaration& declaration) {
    const int name = declaration.names.front().last;
    if (!holds(declaration.first, declaration.words_end, kDeviceFunction)) {
      complain(name,
               "a function that a kernel calls needs __device__ in front: host code cannot be "
               "in this file");
    }
    if (belongs_to_std(name)) {
      complain(name,
               "the standard library cannot be added to: give the function a name of its own");
    }
    for (int i = declaration.body; i < declaration.last; i++) {
      if (tokens_[i].is("static") && !stays_the_same(i + 1)) {
        complain(i,
                 "a static variable would live on between launches: use a local one, __shared__, "
                 "or a __device__ variable outside the function");
      }
    }
  }

  bool belongs_to_std(int name) const {
    while (tokens_[name - 1].is("::") && tokens_[name - 2].kind == TokenKind::kName) name -= 2;
    return tokens_[name].is("std") && tokens_[name + 1].is("::");
  }

  bool stays_the_same(int i) const {
    static constexpr auto kWords =
        std::to_array<std::string_view>({"constexpr", "const", "__shared__", "__device__"});
    return std::ranges::count(kWords, tokens_[i].text) > 0 || tokens_[i].is("__constant__");
  }

  void look_at_variables(const Declaration& declaration) {
    if (declaration.has_word(tokens_, "__shared__")) return;  // the block's, in every function
    if (holds(declaration.first, declaration.words_end, kDeviceVariable)) return;
    if (declaration.has_word(tokens_, "const") && is_plain_value(declaration)) return;
    complain(
        declaration.names.front().last,
        "a plain variable lives on the host, where kernels cannot see it: make it constexpr, or "
        "put __device__ or __constant__ in front");
  }

  /// const int kTile = 16;
  bool is_plain_value(const Declaration& declaration) const {
    const int value = declaration.names.front().last + 1;
    if (!tokens_[value].is("=")) return false;
    return std::ranges::none_of(std::array{"(", "{", "<", "&"}, [&](const char* sign) {
      for (int i = value; i < declaration.last; i++) {
        if (tokens_[i].is(sign)) return true;
      }
      return false;
    });
  }

  const Tokens& tokens_;
  std::vector<Complaint>& complaints_;
  std::set<std::string_view> macros_;
};

}  // namespace

void refuse_host_code(const Tokens& tokens, const std::vector<Declaration>& declarations,
                      std::vector<Complaint>& complaints) {
  HostCode host_code(tokens, complaints);
  host_code.learn_macros();
  for (const Declaration& declaration : declarations) host_code.look_at(declaration);
}

}  // namespace nibble::simt
