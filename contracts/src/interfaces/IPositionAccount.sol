// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IPositionAccount
/// @notice Holds the USDC and the outcome tokens of exactly one position and nothing else. A stateless clone: its
/// position key is an immutable argument, every verb is for the vault only, and it never decides anything.
/// @dev A refusal of USDC, the outcome's ledger or what redeems it passes through as their own error, or as
/// SafeERC20FailedOperation, but where a call says that a refusal leaves money here.
interface IPositionAccount {
    /// @notice The caller is not the vault. Use the vault's calls: an account obeys no other caller.
    error OnlyVault();

    /// @notice Outcome tokens came otherwise than by a transfer of the vault, or of the exchange at ConditionalTokens.
    /// Or another ERC-1155 contract sent its own. Send tokens to their owner instead: an account takes no donations of
    /// tokens where it is asked.
    error TokensNotFromExchange();

    /// @notice A transfer, or the taking back of an allowance, was refused with too little gas left to distinguish a
    /// refusal from a call starved of gas. Send the transaction again with more gas.
    error GasTooLow();

    /// @notice Lets the exchange pull up to this much USDC; 0 takes the allowance back, as far as USDC lets it: of a
    /// blacklisted exchange it takes no approval, and that exchange cannot pull.
    /// @dev Reverts: OnlyVault; GasTooLow.
    /// @param usdcUnits the new allowance in USDC units, in place of the old one
    function allowUsdc(uint256 usdcUnits) external;

    /// @notice Lets the exchange move outcome tokens, or takes that back.
    /// @dev Reverts: OnlyVault.
    /// @param allowed whether the exchange may move every token held here
    function allowTokens(bool allowed) external;

    /// @notice Sends USDC to the pool, which must take it, and to the user, whose refusal leaves the user's part here.
    /// @dev The filler of a grant is paid as the pool is. Reverts: OnlyVault; GasTooLow.
    /// @param pool receiver of the pool's part
    /// @param poolUsdcUnits the pool's part in USDC units; 0 sends nothing
    /// @param user receiver of the user's part
    /// @param userUsdcUnits the user's part in USDC units; 0 sends nothing
    /// @return sent whether the user's part arrived, or there was none
    function sendUsdc(
        address pool,
        uint256 poolUsdcUnits,
        address user,
        uint256 userUsdcUnits
    ) external returns (bool sent);

    /// @notice Sends outcome tokens; reverts when the receiver refuses.
    /// @dev Reverts: OnlyVault.
    /// @param tokens contract that holds them
    /// @param to receiver of the tokens
    /// @param tokenId ERC-1155 id of the outcome token
    /// @param tokenUnits how many, in token units
    function sendTokens(address tokens, address to, uint256 tokenId, uint256 tokenUnits) external;

    /// @notice Sends outcome tokens; a refusal leaves them here and returns false.
    /// @dev Reverts: OnlyVault; GasTooLow.
    /// @param tokens contract that holds them
    /// @param to receiver of the tokens
    /// @param tokenId ERC-1155 id of the outcome token
    /// @param tokenUnits how many, in token units
    /// @return sent whether the tokens arrived
    function trySendTokens(
        address tokens,
        address to,
        uint256 tokenId,
        uint256 tokenUnits
    ) external returns (bool sent);

    /// @notice Redeems tokens of one outcome of a decided condition into USDC held here.
    /// @dev A redeemer other than ConditionalTokens, and the router, may move this account's tokens for the length of
    /// this call only. Reverts: OnlyVault.
    /// @param tokens contract that holds them
    /// @param conditionId the decided condition
    /// @param indexSet 1 for the first outcome, 2 for the second
    /// @param tokenUnits how many of the PositionManager, in token units; of ConditionalTokens the whole balance goes
    function redeem(address tokens, bytes32 conditionId, uint256 indexSet, uint256 tokenUnits) external;

    /// @notice The key of the position this account belongs to.
    /// @return key the vault's key of that position
    function positionKey() external view returns (bytes32 key);

    /// @notice ERC-1271: the magic value for the hash of this position's one live order, whatever the signature bytes.
    /// @dev The consent is the vault's authorisation, so there is nothing a signature could add.
    /// @param orderHash the order's hash on the exchange
    /// @param signature ignored
    /// @return magicValue 0x1626ba7e when the vault says that this order is live, else 0xffffffff
    function isValidSignature(bytes32 orderHash, bytes calldata signature) external view returns (bytes4 magicValue);
}
