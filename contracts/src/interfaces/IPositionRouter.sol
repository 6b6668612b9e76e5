// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IPositionRouter
/// @notice The part of the venue's Router used here. It moves its caller's tokens to their module and calls the module
/// in one transaction; what is sent to a module otherwise, anyone may take.
interface IPositionRouter {
    /// @notice Turns collateral of the caller into the same amount of each outcome's token.
    /// @param conditionId the condition, prepared or not
    /// @param amount collateral to give and tokens to get of each, in units of the collateral
    function split(bytes31 conditionId, uint256 amount) external;

    /// @notice Turns the same amount of each outcome's token back into collateral.
    /// @param conditionId the condition
    /// @param amount tokens to give of each and collateral to get, in units of the collateral
    function merge(bytes31 conditionId, uint256 amount) external;

    /// @notice Burns tokens of the caller, who approved the router, and pays the caller what the result says.
    /// @param conditionId the decided condition
    /// @param outcomeIndex 0 for the condition's first outcome, 1 for the second
    /// @param amount how many, in token units
    function redeem(bytes31 conditionId, uint256 outcomeIndex, uint256 amount) external;

    /// @notice The contract whose tokens it moves.
    /// @return positionManager the PositionManager
    function POSITION_MANAGER() external view returns (address positionManager);

    /// @notice Collateral that it takes and pays.
    /// @return collateralToken the ERC-20 token
    function COLLATERAL_TOKEN() external view returns (address collateralToken);
}
