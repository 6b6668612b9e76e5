// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVenueExchange} from "../interfaces/IVenueExchange.sol";
import {UnitMath} from "./UnitMath.sol";

/// @title OrderStatus
/// @notice Reads how much of an order the exchange says was filled. Total: an answer that reverts, is short, never
/// comes or makes no sense counts as nothing filled or as everything, and never blocks the caller.
library OrderStatus {
    /// @dev Far above what a status costs, so that no caller can starve the read without starving the whole call.
    uint256 private constant GAS_LIMIT = 100_000;

    /// @dev Filled part of makerAmount; 0/false means unused.
    function filledOf(address exchange, bytes32 orderHash, uint256 makerAmount) internal view returns (uint256) {
        bytes memory question = abi.encodeCall(IVenueExchange.getOrderStatus, (orderHash));
        bool answered;
        uint256 filled;
        uint256 remaining;
        assembly ("memory-safe") {
            mstore(0x00, 0)
            mstore(0x20, 0)
            answered := staticcall(GAS_LIMIT, exchange, add(question, 0x20), mload(question), 0x00, 0x40)
            answered := and(answered, gt(returndatasize(), 0x3f))
            filled := mload(0x00)
            remaining := mload(0x20)
        }
        if (!answered) return 0;
        if (filled != 0) return makerAmount;
        return remaining == 0 ? 0 : UnitMath.subtractOrZero(makerAmount, remaining);
    }
}
