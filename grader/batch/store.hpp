// The results folder is the truth. Every file in it is written beside its place, synced and
// renamed: who reads meets the old one or the new one, whatever is killed and whenever.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "lab/kit.hpp"
#include "record/result.hpp"

namespace nibble::batch {

/// Writes `text` so, and syncs the folder's own entry too. Throws
/// std::filesystem::filesystem_error.
void keep_text(const std::filesystem::path& file, std::string_view text);
void keep(const std::filesystem::path& file, const nlohmann::ordered_json& json);

/// Of one submission: its results, and what it handed in.
std::filesystem::path folder_in(const std::filesystem::path& grades, const std::string& id);

std::filesystem::path result_file(const std::filesystem::path& grades, const std::string& id,
                                  const std::string& lab);
std::filesystem::path fault_file(const std::filesystem::path& grades, const std::string& id,
                                 const std::string& lab);

/// What a file holds; nothing when it is not there, or is no JSON object.
std::optional<nlohmann::ordered_json> read_json(const std::filesystem::path& file);

/// Nothing when there is none, or it is no result: somebody may have been at it.
std::optional<record::Result> read_result(const std::filesystem::path& file);

/// Writes a result and forgets an earlier fault; or the fault, and leaves an earlier result alone.
void keep_result(const std::filesystem::path& grades, const std::string& id,
                 const record::Result& result);
void keep_fault(const std::filesystem::path& grades, const std::string& id, const std::string& lab,
                const std::string& message);

/// A folder for work in progress, removed in the end. Folders of processes of this machine that are
/// gone are removed with it.
class Workplace {
 public:
  explicit Workplace(const std::filesystem::path& grades);
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// Temporary files that a killed process left: those of this machine whose process is gone, and any
/// that is an hour old.
void sweep(const std::filesystem::path& grades);

}  // namespace nibble::batch
