#include "orb/core/peer_options.h"

#include <algorithm>

#include "orb/base/ascii.h"

namespace corbel::core {
namespace {

// A line each, in one text, which needs no relocation when a program starts: "NAME" only tunes, "NAME!" does
// and has no value, "NAME=VALUE" asks for something unless VALUE is given, "NAME+=VALUE" does in two words.
constexpr std::string_view kPeerOptions =
    // omniORB: threads, connections, buffers and checks, which Corbel sees to by itself.
    "abortOnInternalError\n"
    "abortOnNativeException\n"
    "acceptMisalignedTcIndirections\n"
    "connectionWatchImmediate\n"
    "connectionWatchPeriod\n"
    "idleThreadTimeout\n"
    "immediateAddressSwitch\n"
    "lcdMode\n"
    "listenBacklog\n"
    "maxClientThreadPoolSize\n"
    "maxGIOPConnectionPerServer\n"
    "maxInterleavedCallsPerConnection\n"
    "maxServerThreadPerConnection\n"
    "maxSocketRecv\n"
    "maxSocketSend\n"
    "objectTableSize\n"
    "oneCallPerConnection\n"
    "poaUniquePersistentSystemIds\n"
    "resolveNamesForTransportRules\n"
    "retainAddressOrder\n"
    "socketSendBuffer\n"
    "strictIIOP\n"
    "supportCurrent\n"
    "supportPerThreadTimeOut\n"
    "tcAliasExpand\n"
    "threadPoolWatchConnection\n"
    "useTypeCodeIndirections\n"
    "verifyObjectExistsAndType\n"
    // The ORB writes no log.
    "traceExceptions\n"
    "traceInvocationReturns\n"
    "traceInvocations\n"
    "traceLevel\n"
    "traceLocking\n"
    "traceThreadId\n"
    "traceTime\n"
    "traceFile=\n"
    // Other features of omniORB.
    "bootstrapAgentHostname=\n"
    "bootstrapAgentPort=\n"
    "clientTransportRule=* unix,tcp\n"
    "configFile=\n"
    "copyValuesInLocalCalls=1\n"
    "defaultWCharCodeSet=UTF-16\n"
    "diiThrowsSysExceptions=1\n"
    "dumpConfiguration=0\n"
    "endPointPublishAllIFs=\n"
    "nativeWCharCodeSet=UTF-16\n"
    "poaHoldRequestTimeout=0\n"
    "principal=\n"
    "serverCallTimeOutPeriod=0\n"
    "serverTransportRule=* unix,tcp\n"
    "supportBootstrapAgent=0\n"
    "validateUTF8\n"
    // TAO: what tunes.
    "AcceptErrorDelay\n"
    "AMICollocation\n"
    "CDRTradeoff\n"
    "ConnectionHandlerCleanup\n"
    "Daemon!\n"
    "Debug!\n"
    "DebugLevel\n"
    "DisableRTCollocation\n"
    "DottedDecimalAddresses\n"
    "ForwardDelay\n"
    "Gestalt\n"
    "HandleLoggingStrategyEvents\n"
    "IgnoreDefaultSvcConfFile!\n"
    "IMREndpointsInIOR\n"
    "IPMulticastLoop\n"
    "Keepalive\n"
    "LingerTimeout\n"
    "MaxMessageSize\n"
    "NegotiateCodesets\n"
    "Nodelay\n"
    "NoProprietaryActivation\n"
    "NoServerSideNameLookups\n"
    "ParallelConnectDelay\n"
    "Preconnect\n"
    "RcvSock\n"
    "Resources\n"
    "ServiceConfigLoggerKey\n"
    "SingleReadOptimization\n"
    "SkipServiceConfigOpen!\n"
    "SndSock\n"
    "StdProfileComponents\n"
    "UseLocalMemoryPool\n"
    "UseParallelConnects\n"
    "UseSharedProfile\n"
    "VerboseLogging\n"
    // Other features of TAO.
    "AllowZIOPNoServerPolicies=0\n"
    "Collocation=global\n"
    "ConnectIPV6Only=0\n"
    "DontRoute=0\n"
    "DynamicThreadPoolName=\n"
    "EnforcePreferredInterface=0\n"
    "EnforcePreferredInterfaces=0\n"
    "ForwardInvocationOnObjectNotExist=0\n"
    "ForwardOnceOnCommFailure=0\n"
    "ForwardOnceOnInvObjref=0\n"
    "ForwardOnceOnObjectNotExist=0\n"
    "ForwardOnceOnTransient=0\n"
    "ForwardOnCommFailureLimit=0\n"
    "ForwardOnInvObjrefLimit=0\n"
    "ForwardOnObjectNotExistLimit=0\n"
    "ForwardOnReplyClosedLimit=0\n"
    "ForwardOnTransientLimit=0\n"
    "FTSendFullGroupTC=0\n"
    "ImplRepoServicePort=\n"
    "IPHopLimit=-1\n"
    "LaneEndpoint+=\n"
    "LaneListenEndpoints+=\n"
    "LogFile=\n"
    "MulticastDiscoveryEndpoint=\n"
    "NameServicePort=\n"
    "ObjRefStyle=IOR\n"
    "PreferIPV6Interfaces=0\n"
    "PreferredInterface=\n"
    "PreferredInterfaces=\n"
    "SvcConf=\n"
    "SvcConfDirective=\n"
    "TradingServicePort=\n"
    "UseIMR=0\n"
    "UseIPV6LinkLocal=0\n";

}  // namespace

std::optional<PeerOption> find_peer_option(std::string_view name) {
  std::string_view rest = kPeerOptions;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const auto end = std::min(line.find_first_of("!+="), line.size()), equals = line.find('=');
    if (!base::same_without_case(name, line.substr(0, end))) continue;
    PeerOption option{line.substr(0, end), 1, std::nullopt};
    if (line.ends_with('!')) option.words = 0;
    if (line.substr(end).starts_with('+')) option.words = 2;
    if (equals != line.npos) option.as_it_is = line.substr(equals + 1);
    return option;
  }
  return std::nullopt;
}

}  // namespace corbel::core
