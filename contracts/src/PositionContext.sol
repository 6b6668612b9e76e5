// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Facts of a position besides its stored words: key and account, and the contracts of the deployment.
struct PositionContext {
    bytes32 positionKey;
    address account;
    address usdc;
    address conditionalTokens;
    address positionManager;
    address exchange;
    address pool;
}
