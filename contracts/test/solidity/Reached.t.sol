// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPositionAccount} from "../../src/interfaces/IPositionAccount.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice A receiver that leaves its caller nothing but the 64th part no call can pass on.
contract BurnsAllGas {
    fallback() external {
        assembly ("memory-safe") {
            invalid()
        }
    }
}

/// @notice What only a narrow margin of gas reaches, with gas to spare: coverage probes use some themselves.
contract ReachedTest is VaultFixture {
    uint256 private constant SCARCE_GAS = 200_000;

    function test_tokens_refused_with_next_to_no_gas_left_revert_by_name() public {
        bytes32 key = open();
        address account = vault.accountOf(key);
        address receiver = address(new BurnsAllGas());
        uint256 held = tokens.balanceOf(account, yesId);
        assertTrue(held != 0, "holds tokens");
        bytes memory send = abi.encodeCall(IPositionAccount.trySendTokens, (receiver, yesId, held));

        vm.prank(address(vault), address(vault));
        (bool done, bytes memory answer) = account.call{gas: SCARCE_GAS}(send);
        assertTrue(!done, "starved");
        assertEq(bytes32(answer), bytes32(IPositionAccount.GasTooLow.selector), "by name");

        vm.prank(address(vault), address(vault));
        (done, answer) = account.call{gas: 64 * SCARCE_GAS}(send);
        assertTrue(done && !abi.decode(answer, (bool)), "with gas left it is a refusal");
        assertEq(tokens.balanceOf(account, yesId), held, "tokens stay");
    }
}
