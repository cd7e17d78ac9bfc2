// Lab 30, autocast: the checks.
#include "checks/30_mixed_precision/autocast.hpp"

namespace nibble::judge::lab_30_mixed_precision {
namespace {

TEST(autocast, TypesFollowTheKind) {
  casting.gives({{"Layer", {Operations{{0, 1}, {-1, 0}, {-2, -2}}}, {{1, 0}, 2}},
                 {"Products", {Operations{{0, 0, 0}, {-1, 0, 1}, {-2, -2, 0}}}, {{1, 1, 1}, 1}},
                 {"Reductions", {Operations{{1, 1}, {-1, 0}, {-2, -1}}}, {{0, 0}, 0}},
                 {"None", {Operations{{}, {}, {}}}, {{}, 0}}},
                casting.only({"half"}));
}

TEST(autocast, ElementwiseFollows) {
  casting.gives(
      {{"Half", {Operations{{0, 2}, {-1, 0}, {-2, -2}}}, {{1, 1}, 1}},
       {"Float", {Operations{{1, 2}, {-1, 0}, {-2, -2}}}, {{0, 0}, 0}},
       {"Mixed", {Operations{{0, 1, 2, 2}, {-1, 0, 0, 1}, {-2, -2, 1, 0}}}, {{1, 0, 0, 0}, 2}},
       {"Both", {Operations{{0, 0, 2}, {-1, -1, 0}, {-2, -2, 1}}}, {{1, 1, 1}, 1}},
       {"OfTheInput", {Operations{{2, 0, 2}, {-1, 0, 1}, {-2, -2, -1}}}, {{0, 1, 0}, 2}}},
      casting.only({"half"}));
}

TEST(autocast, CastsOnce) {
  casting.gives({{"Example", {Operations{{0, 2, 1}, {-1, 0, 1}, {-2, -2, -2}}}, {{1, 1, 0}, 2}},
                 {"Second", {Operations{{0, 1, 2}, {-1, 0, 1}, {-2, -2, 0}}}, {{1, 0, 0}, 2}},
                 {"NoOperations", {Operations{{}, {}, {}}}, {{}, 0}},
                 {"ElementwiseInFloat",
                  {Operations{{0, 0, 2, 2}, {-1, 0, 0, 1}, {-2, -2, -1, -1}}},
                  {{1, 1, 0, 0}, 3},
                  "an elementwise operation in float casts the half that it reads"},
                 {"ReadTwice", {Operations{{0, 0, 0}, {-1, -1, -1}, {-2, -2, -2}}}, {{1, 1, 1}, 1}},
                 {"SameTwice", {Operations{{1, 0}, {-1, 0}, {-2, 0}}}, {{0, 1}, 1}},
                 {"TwoReaders", {Operations{{0, 1, 1}, {-1, 0, 0}, {-2, -2, -2}}}, {{1, 0, 0}, 2}},
                 {"StillThere",
                  {Operations{{0, 1, 0}, {-1, 0, 0}, {-2, -2, -2}}},
                  {{1, 0, 1}, 2},
                  "a value that was cast is still there in its own type"},
                 {"OneReader", {Operations{{0, 0, 1}, {-1, 0, 0}, {-2, -2, 1}}}, {{1, 1, 0}, 3}}});
}

TEST(autocast, RefusesWhatCannotRun) {
  casting.refuses({{"Fine", {Operations{{0}, {-1}, {-2}}}, {{1}, 1}}},
                  {{"", {Operations{{3}, {-1}, {-2}}}},
                   {"", {Operations{{-1}, {-1}, {-2}}}},
                   {"", {Operations{{0}, {-2}, {-2}}}},
                   {"", {Operations{{0}, {-1}, {-3}}}},
                   {"", {Operations{{0}, {0}, {-2}}}},
                   {"", {Operations{{0, 0}, {-1, 0}, {-2, 1}}}},
                   {"N-SIZE", {Operations{{0}, {-1, -1}, {-2}}}},
                   {"N-SIZE", {Operations{{0, 0}, {-1, -1}, {-2}}}}});
}

}  // namespace
}  // namespace nibble::judge::lab_30_mixed_precision
