// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

/// @title PositionAccounts
/// @notice Address and deployment of a position's account: a clone whose salt and immutable argument are the
/// position's key.
library PositionAccounts {
    /// @dev The account of a key, deployed or not.
    function addressOf(address implementation, bytes32 positionKey) internal view returns (address account) {
        return
            Clones.predictDeterministicAddressWithImmutableArgs(
                implementation,
                abi.encode(positionKey),
                positionKey
            );
    }

    /// @dev Once per position: by its first order, or by its end when none ever came.
    function deploy(address implementation, bytes32 positionKey) internal {
        Clones.cloneDeterministicWithImmutableArgs(implementation, abi.encode(positionKey), positionKey);
    }
}
