// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../../src/interfaces/IVault.sol";
import {BatchFixture} from "../../fixtures/BatchFixture.sol";
import {BurningPositionManager} from "../../fixtures/HostileBatches.sol";
import {AuthorizeManyTest} from "../authorizeMany/AuthorizeMany.t.sol";
import {FillManyTest} from "../fillMany/FillMany.t.sol";

/// @notice Every rule of a batch of grants, on the second ledger.
contract ManagedAuthorizeManyTest is AuthorizeManyTest {
    function isManaged() internal pure override returns (bool) {
        return true;
    }
}

/// @notice Every rule of several fills, on the second ledger.
contract ManagedFillManyTest is FillManyTest {
    function isManaged() internal pure override returns (bool) {
        return true;
    }
}

/// @notice A replaced PositionManager that burns all gas wherever one account's tokens are read.
contract BurningLedgerTest is BatchFixture {
    uint256 private constant MUCH_GAS = 16_000_000;
    bytes32[] private keys;

    function isManaged() internal pure override returns (bool) {
        return true;
    }

    function setUp() public override {
        super.setUp();
        keys = openSeveral(11, 3);
        for (uint256 i = 0; i < 3; ++i) requestClose(keys[i], 600e6, 0);
        assertEq(authorizeMany(batchOf(IVault.Purpose.Close, 5_000, 5_000, keys)), 3, "granted");
    }

    function burnFor(bytes32 key) private {
        upgrade(address(manager), address(new BurningPositionManager(address(usdc), vault.accountOf(key))));
    }

    function test_costs_its_own_batch_gas_and_its_own_member_the_grant() public {
        fillGrant(keys[0], 150e6, 300e6);
        burnFor(keys[0]);
        skip(1);
        IVault.GrantBatch memory b = batchOf(IVault.Purpose.Close, 5_000, 5_000, keys);
        b.observedAt = vault.grantOf(keys[0]).startsAt + 1;
        b.members[0].mostUnits = 300e6;
        bytes memory call = abi.encodeCall(IVault.authorizeMany, (b, sizesOf(b), signBatch(b)));
        bytes32 grant = keccak256(abi.encode(vault.grantOf(keys[0])));
        vm.recordLogs();
        vm.prank(keeper, keeper);
        (bool done, bytes memory answer) = address(vault).call{gas: MUCH_GAS}(call);
        assertTrue(done, "a 64th of the gas is enough for the others");
        assertEq(abi.decode(answer, (uint256)), 2, "the others");
        Refusal[] memory refused = refusals();
        assertEq(refused.length, 1, "one is refused");
        assertEq(bytes32(refused[0].reason), bytes32(0), "without a name");
        assertEq(keccak256(abi.encode(vault.grantOf(keys[0]))), grant, "its grant stands");
    }

    function test_costs_its_own_fill_and_gas_of_the_others() public {
        burnFor(keys[0]);
        bytes memory call = abi.encodeCall(IVault.fillMany, (fillsOf(keys)));
        vm.prank(filler, filler);
        (bool done, bytes memory answer) = address(vault).call{gas: MUCH_GAS}(call);
        assertTrue(done, "a 64th of the gas is enough for the others");
        assertEq(abi.decode(answer, (uint256)), 2, "the others");
        assertState(keys[0], IVault.PositionState.Open);
        assertState(keys[2], IVault.PositionState.Closed);
        assertEq(vault.grantOf(keys[0]).filledUnits, 0, "nothing of it happened");
    }
}
