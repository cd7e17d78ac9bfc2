// attack: answers before anything was asked
// rule: V4
// expect: points 0
// expect: first N-PROTOCOL
namespace {
const bool sent = [] {
  const nibble::Answer answer{};
  return send(5, &answer, sizeof answer, 0) > 0;
}();
}  // namespace
