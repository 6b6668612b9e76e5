// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IPositionAccount
/// @notice Holds the USDC and the outcome tokens of exactly one position and nothing else. A stateless clone: its
/// position key is an immutable argument, every verb is for the vault only, and it never decides anything.
interface IPositionAccount {
    error OnlyVault();
    error TokensNotFromExchange();
    error GasTooLow();

    /// @notice Lets the exchange pull up to this much USDC; 0 takes the allowance back.
    function allowUsdc(uint256 usdcUnits) external;

    /// @notice Lets the exchange move outcome tokens, or takes that back.
    function allowTokens(bool allowed) external;

    /// @notice Sends USDC to the pool, which must take it, and to the user, whose refusal leaves his part here.
    /// @return sent whether the user's part arrived
    function sendUsdc(
        address pool,
        uint256 poolUsdcUnits,
        address user,
        uint256 userUsdcUnits
    ) external returns (bool sent);

    /// @notice Sends outcome tokens; reverts when the receiver refuses.
    function sendTokens(address to, uint256 tokenId, uint256 tokenUnits) external;

    /// @notice Sends outcome tokens; a refusal leaves them here and returns false.
    function trySendTokens(address to, uint256 tokenId, uint256 tokenUnits) external returns (bool sent);

    /// @notice Redeems the whole balance of one outcome of a resolved condition into USDC held here.
    function redeem(bytes32 conditionId, uint256 indexSet) external;

    /// @notice The key of the position this account belongs to.
    function positionKey() external view returns (bytes32 key);

    /// @notice ERC-1271: the magic value for the hash of this position's one live order, whatever the signature bytes.
    function isValidSignature(bytes32 orderHash, bytes calldata signature) external view returns (bytes4 magicValue);
}
