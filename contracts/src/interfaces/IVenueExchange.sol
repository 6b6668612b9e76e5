// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IVenueExchange
/// @notice The part of the venue's exchange the vault reads. The vault never calls anything of it that moves money.
interface IVenueExchange {
    /// @notice An order as the exchange hashes it. Every typed field but `signature` is part of the order hash.
    /// @dev side 0 buys tokens with USDC, 1 sells tokens for USDC; signatureType 3 is ERC-1271 of the maker contract.
    struct Order {
        /// Tells orders apart that are the same otherwise.
        uint256 salt;
        /// Whose money it moves: the position's account.
        address maker;
        /// Who consents to it: the same account.
        address signer;
        /// ERC-1155 id of the outcome token.
        uint256 tokenId;
        /// The most it gives: USDC units when it buys, token units when it sells.
        uint256 makerAmount;
        /// The least it takes for all of that: token units when it buys, USDC units when it sells.
        uint256 takerAmount;
        /// 0 or 1, as above.
        uint8 side;
        /// How the signer consents; 3 for accounts.
        uint8 signatureType;
        /// When it was made, in Unix milliseconds; the vault reads nothing from it.
        uint256 timestamp;
        /// Free for the maker; the vault reads nothing from it.
        bytes32 metadata;
        /// Builder code, which may carry a fee; zero for none.
        bytes32 builder;
        /// Ignored by accounts.
        bytes signature;
    }

    /// @notice EIP-712 hash of an order; `signature` is not part of it.
    /// @param order the order
    /// @return orderHash what the exchange knows it by
    function hashOrder(Order calldata order) external view returns (bytes32 orderHash);

    /// @notice Fill status of an order.
    /// @param orderHash its hash
    /// @return filled whether the order is completely filled
    /// @return remaining unfilled part of makerAmount; 0 with filled = false means untouched
    function getOrderStatus(bytes32 orderHash) external view returns (bool filled, uint248 remaining);

    /// @notice The USDC the exchange trades against.
    /// @return collateral the token
    function getCollateral() external view returns (address collateral);

    /// @notice The ConditionalTokens contract whose tokens the exchange trades.
    /// @return conditionalTokens the contract
    function getCtf() external view returns (address conditionalTokens);

    /// @notice The highest fee an operator may charge, in bps of the USDC traded.
    /// @return feeRateBps in bps
    function maxFeeRateBps() external view returns (uint256 feeRateBps);
}
