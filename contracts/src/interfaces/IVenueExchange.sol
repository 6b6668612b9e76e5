// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IVenueExchange
/// @notice The part of the venue's exchange the vault reads. The vault never calls anything of it that moves money.
interface IVenueExchange {
    /// @notice An order as the exchange hashes it. Every typed field but `signature` is part of the order hash.
    /// @dev side 0 buys tokens with USDC, 1 sells tokens for USDC; signatureType 3 is ERC-1271 of the maker contract.
    struct Order {
        uint256 salt;
        address maker;
        address signer;
        uint256 tokenId;
        uint256 makerAmount;
        uint256 takerAmount;
        uint8 side;
        uint8 signatureType;
        uint256 timestamp;
        bytes32 metadata;
        bytes32 builder;
        bytes signature;
    }

    /// @notice EIP-712 hash of an order; `signature` is not part of it.
    function hashOrder(Order calldata order) external view returns (bytes32 orderHash);

    /// @notice Fill status of an order.
    /// @return filled whether the order is completely filled
    /// @return remaining unfilled part of makerAmount; 0 with filled = false means untouched
    function getOrderStatus(bytes32 orderHash) external view returns (bool filled, uint248 remaining);

    /// @notice The USDC the exchange trades against.
    function getCollateral() external view returns (address collateral);

    /// @notice The ConditionalTokens contract whose tokens the exchange trades.
    function getCtf() external view returns (address conditionalTokens);

    /// @notice The highest fee an operator may charge, in bps of the USDC traded.
    function maxFeeRateBps() external view returns (uint256 feeRateBps);
}
