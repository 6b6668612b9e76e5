// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IPairFiller
/// @notice A contract that fills opening grants of one vault with pairs: it splits USDC into both outcome tokens, gives
/// the vault the one and its caller the other, in one transaction.
interface IPairFiller {
    /// @notice The caller is not the vault, or no fill of this contract is under way. Call fill.
    error NotInsideFill();

    /// @notice The grant is a sale, of which a filler takes tokens. Fill it at the vault.
    error NotAnOpening();

    /// @notice The split brought fewer of those tokens than the vault takes of the others. Name the other outcome of
    /// the position's market.
    /// @param complementTokenId the ERC-1155 id that was named
    error WrongComplement(uint256 complementTokenId);

    /// @notice Outcome tokens came outside of a fill, or another ERC-1155 contract sent its own. Keep them: the
    /// contract holds nothing between two fills.
    error TokensNotFromSplit();

    /// @notice Fills an opening grant, in part or whole, with as many pairs as the vault takes tokens. Anyone. The
    /// caller pays what the vault's payment does not cover, and receives the other tokens and what is left of it.
    /// @dev Needs the caller's allowance of USDC for giveUnits − takeUnits where that is positive; it takes from no one
    /// else. Both amounts are the most, as at IVault.fill, which says what a fill may be. A caller with code is called
    /// as the receiver of the other tokens. Tokens and USDC that others left here go to the caller.
    /// Reverts: NotAnOpening; WrongComplement; what IVault.fill reverts with, GrantNotLive and GrantPriceTooPoor among
    /// it; ERC20InsufficientAllowance or ERC20InsufficientBalance of the caller's USDC.
    /// @param positionKey the position whose grant is filled
    /// @param giveUnits the most tokens to give, in token units: as many pairs are made
    /// @param takeUnits the most USDC to take for them, in USDC units
    /// @param complementTokenId ERC-1155 id of the market's other outcome, whose tokens the caller receives
    /// @return givenUnits tokens that the vault took, and pairs made, in token units
    /// @return takenUnits USDC that the vault paid, in USDC units
    function fill(
        bytes32 positionKey,
        uint256 giveUnits,
        uint256 takeUnits,
        uint256 complementTokenId
    ) external returns (uint256 givenUnits, uint256 takenUnits);

    /// @notice The one vault whose grants it fills.
    /// @return vaultAddress the vault, fixed at deployment
    function vault() external view returns (address vaultAddress);
}
