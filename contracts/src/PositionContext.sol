// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice What the vault's libraries know of a position besides what is stored of it: key and account, and the
/// contracts of the deployment.
struct PositionContext {
    bytes32 positionKey;
    address account;
    address accountImplementation;
    address usdc;
    address conditionalTokens;
    address exchange;
    address pool;
}
