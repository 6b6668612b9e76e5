// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IGrantFiller
/// @notice A contract that fills grants and asks to be called between receiving its part and giving the other.
interface IGrantFiller {
    /// @notice The vault has paid the caller of fill and pulls the other part from it after this call.
    /// @dev Every call of the vault that touches a position reverts meanwhile. Check that msg.sender is the vault:
    /// anyone may call this. The vault needs the allowance of USDC, or the approval of tokens, when this returns. What
    /// reverts here, or is missing afterwards, undoes the whole fill. Reverts: as the filler decides.
    /// @param positionKey the position whose grant is filled
    /// @param giveUnits what is pulled afterwards: token units of an opening, USDC units of a sale
    /// @param takeUnits what was paid before: USDC units of an opening, token units of a sale
    /// @param data the filler's own, as given to fill
    function onGrantFill(bytes32 positionKey, uint256 giveUnits, uint256 takeUnits, bytes calldata data) external;
}
