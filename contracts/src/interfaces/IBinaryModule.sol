// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IBinaryModule
/// @notice The part of the venue's module of binary conditions used here.
interface IBinaryModule {
    /// @notice Condition of ConditionalTokens that decides a migrated condition.
    /// @dev Its oracle's report is known before the module reads it, and a reporter's result is refused.
    /// @param conditionId a condition of the module
    /// @return legacyCondition zero for a condition that was not migrated
    function legacyConditionId(bytes31 conditionId) external view returns (bytes32 legacyCondition);
}
