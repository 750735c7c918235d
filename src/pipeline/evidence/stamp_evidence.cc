#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/compress/stored_zip.h"
#include "pipeline/evidence/manifest.h"
#include "pipeline/evidence/package_file.h"
#include "pipeline/evidence/time_stamp.h"
#include "zhiwen/evidence.h"

namespace zhiwen {
namespace {

// The package without a time stamp, and whether it has one.
struct UnstampedPackage {
  std::vector<StoredMember> members;  // views of the package
  bool has_stamp = false;
};

Result<UnstampedPackage> ReadUnstamped(std::string_view package) {
  UnstampedPackage out;
  ZHIWEN_ASSIGN_OR_RETURN(out.members, ReadStoredZip(package));
  out.has_stamp = std::erase_if(out.members, [](const StoredMember& member) {
                    return member.path == kTimestampFile || member.path == kTimestampChainFile;
                  }) > 0;
  if (out.members.empty() || out.members.front().path != kManifestFile) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("it is no evidence package of zhiwen: {} is missing", kManifestFile));
  }
  // A damaged package is not worth a stamp.
  std::string changed;
  for (const StoredMember& member : out.members) {
    if (!member.has_checksum && changed.empty()) changed = member.path;
  }
  const PackedFileHash manifest = {std::string(kManifestFile),
                                   Sha256Hex(out.members.front().bytes)};
  const bool agrees = std::ranges::any_of(out.members, [&](const StoredMember& member) {
    return member.path == kManifestHashFile && member.bytes == HashLine(manifest) + "\n";
  });
  if (!agrees) changed = fmt::format("{} or {}", kManifestFile, kManifestHashFile);
  if (changed.empty()) return out;
  return Fail(ErrorCode::kUnreadable,
              fmt::format("{} was changed; get the package again as it was written", changed));
}

// Returns the token of a reply, which stamps the hash; `stamp` is what it says.
Result<std::string> ReadToken(FileSystem& files, const std::string& path, std::string_view hash,
                              std::string_view chain, EvidenceTimestamp& stamp) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string reply, ReadWholeFile(files, path, kMostTimeStampBytes));
  Result<std::string> token = TokenOfReply(reply);
  if (!token) {
    return Fail(token.error().code,
                fmt::format("cannot read \"{}\": {}", path, token.error().message));
  }
  ZHIWEN_ASSIGN_OR_RETURN(TimeStampCheck check, CheckTimeStamp(*token, hash, chain, std::nullopt));
  if (!check.problems.empty()) {
    return Fail(ErrorCode::kConflict, fmt::format("the time stamp \"{}\" {}; nothing was added",
                                                  path, check.problems.front().message));
  }
  stamp = std::move(check.stamp);
  return token;
}

Status AddToken(const StampOptions& options, const BatchEnvironment& environment,
                UnstampedPackage package, StampSummary& summary) {
  if (package.has_stamp && !options.overwrite) {
    return Fail(ErrorCode::kConflict,
                fmt::format("\"{}\" has a time stamp already; nothing was added", options.package),
                {Advice::kReplaceOutput});
  }
  std::string chain;
  if (!options.chain.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(chain, ReadCertificateFile(environment.files, options.chain));
  }
  summary.timestamp.emplace();
  ZHIWEN_ASSIGN_OR_RETURN(const std::string token,
                          ReadToken(environment.files, options.token, summary.manifest_hash, chain,
                                    *summary.timestamp));
  package.members.push_back({kTimestampFile, token});
  if (!chain.empty()) package.members.push_back({kTimestampChainFile, chain});
  std::sort(package.members.begin() + 2, package.members.end(),
            [](const StoredMember& a, const StoredMember& b) { return a.path < b.path; });
  ZHIWEN_ASSIGN_OR_RETURN(const std::string stamped, WriteStoredZip(package.members));
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<OutputFile> output,
                          OpenPackageOutput(environment.files, options.package, true));
  return output->PublishBytes(stamped);
}

}  // namespace

Result<StampSummary> StampEvidence(const StampOptions& options,
                                   const BatchEnvironment& environment) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string bytes,
                          ReadWholeFile(environment.files, options.package, kMostZipBytes));
  Result<UnstampedPackage> package = ReadUnstamped(bytes);
  if (!package) {
    return Fail(package.error().code,
                fmt::format("cannot stamp \"{}\": {}", options.package, package.error().message));
  }
  StampSummary summary = {.manifest_hash = Sha256Hex(package->members.front().bytes)};
  if (!options.request.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(
        const std::unique_ptr<OutputFile> request,
        OpenRequestOutput(environment.files, options.request, options.overwrite));
    ZHIWEN_ASSIGN_OR_RETURN(const std::string asked, MakeTimeStampRequest(summary.manifest_hash));
    ZHIWEN_RETURN_IF_ERROR(request->PublishBytes(asked));
  }
  if (!options.token.empty()) {
    ZHIWEN_RETURN_IF_ERROR(AddToken(options, environment, *std::move(package), summary));
  }
  return summary;
}

}  // namespace zhiwen
