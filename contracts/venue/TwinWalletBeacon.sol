// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBeacon} from "@openzeppelin/contracts/proxy/beacon/IBeacon.sol";

/// @title TwinWalletBeacon
/// @notice Names the code of deposit wallets to their proxies. The venue can change the real
/// one's answer; this one's is fixed.
contract TwinWalletBeacon is IBeacon {
    /// @inheritdoc IBeacon
    address public immutable implementation;

    constructor(address walletImplementation) {
        implementation = walletImplementation;
    }
}
