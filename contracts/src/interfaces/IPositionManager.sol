// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IPositionManager
/// @notice The part of the venue's PositionManager used here: an ERC-1155 contract whose ids say which module decides
/// them. From the top: module (8 bits), hash (128), arity (16), reserved (64), resolution chain (16), condition index
/// (16), outcome index (8).
/// @dev Assumption: its code can be replaced by its owner. The vault trusts it with the outcomes it holds there alone.
interface IPositionManager {
    /// @notice ERC-1155 operator approval of the caller.
    /// @param operator who may move tokens of the caller
    /// @param approved whether the operator may from now on
    function setApprovalForAll(address operator, bool approved) external;

    /// @notice ERC-1155 transfer, of which a receiver with code is notified.
    /// @param from whose tokens they are: the caller, or an owner who approved the caller
    /// @param to who receives them; a contract must accept them
    /// @param id ERC-1155 id of the token
    /// @param value how many, in token units
    /// @param data handed to a receiver that is a contract
    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external;

    /// @notice The same transfer without a notice: no receiver can refuse it.
    /// @param from whose tokens they are: the caller, or an owner who approved the caller
    /// @param to who receives them
    /// @param id ERC-1155 id of the token
    /// @param amount how many, in token units
    function unsafeTransferFrom(address from, address to, uint256 id, uint256 amount) external;

    /// @notice ERC-1155 balance.
    /// @param owner whose tokens
    /// @param id ERC-1155 id of the token
    /// @return balance how many, in token units
    function balanceOf(address owner, uint256 id) external view returns (uint256 balance);

    /// @notice ERC-1155 operator approval.
    /// @param owner whose tokens
    /// @param operator who would move them
    /// @return approved whether the operator may
    function isApprovedForAll(address owner, address operator) external view returns (bool approved);

    /// @notice Payout of tokens of a decided condition; reverts while it is undecided.
    /// @param positionId ERC-1155 id of the token
    /// @param amount how many, in token units
    /// @return payout USDC units, floor; 0 for an outcome that lost
    function getPayout(uint256 positionId, uint256 amount) external view returns (uint256 payout);

    /// @notice Contract that decides, mints and burns the ids of a module.
    /// @param moduleId the first byte of those ids
    /// @return module zero when there is none
    function moduleById(uint256 moduleId) external view returns (address module);

    /// @notice Collateral behind every id.
    /// @return collateralToken the ERC-20 token that payouts are made in
    function COLLATERAL_TOKEN() external view returns (address collateralToken);
}
