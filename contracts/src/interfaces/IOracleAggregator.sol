// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IOracleAggregator
/// @notice The part of the venue's OracleAggregator used here: who will decide a condition.
interface IOracleAggregator {
    /// @notice Request for the result of an event; of a binary condition, event and condition are one.
    /// @dev More values follow, about who reports and how. They may change until the result, so nothing is kept of
    /// them.
    /// @param eventId the first 29 bytes of the condition
    /// @return targetContract module that receives the result; zero without a request
    function requestConfigs(bytes29 eventId) external view returns (address targetContract);

    /// @notice The contract whose modules it decides.
    /// @return positionManager the PositionManager
    function POSITION_MANAGER() external view returns (address positionManager);
}
