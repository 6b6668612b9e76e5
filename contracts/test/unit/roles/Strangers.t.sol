// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {NonRenounceableOwnable2Step} from "../../../src/NonRenounceableOwnable2Step.sol";
import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {IPositionAccount} from "../../../src/interfaces/IPositionAccount.sol";
import {IVault} from "../../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice I25: every call that asks who calls, on real keys and with arguments that are right for who may. A stranger
/// is refused by that call's own error; who may is not.
contract StrangersTest is VaultFixture {
    /// @notice A call, who may make it, the refusal of any other caller, and the answer to the rightful one: 0 when
    /// it is done.
    struct PrivilegedCall {
        address target;
        bytes data;
        address rightful;
        bytes4 refusal;
        bytes4 answer;
    }

    address private constant SUCCESSOR = address(0x0b0b);
    address private constant FRESH = address(0x0b0c);
    bytes4 private constant NOT_OWNER = Ownable.OwnableUnauthorizedAccount.selector;
    PrivilegedCall[] private calls;

    function setUp() public override {
        super.setUp();
        bytes32 opened = open();
        usdc.mint(vault.accountOf(opened), 2);
        skip(59 days);
        vm.startPrank(lp, lp);
        pool.requestRedeem(pool.balanceOf(lp) / 2, 0);
        skip(1 days);
        vm.stopPrank();
        bytes32 pending = create(seeded(2), alice);
        vm.startPrank(owner, owner);
        vault.transferOwnership(SUCCESSOR);
        pool.transferOwnership(SUCCESSOR);
        vm.stopPrank();
        resolve(1, 0);
        listVaultRoles();
        listOwnership(address(vault));
        listOwnership(address(pool));
        listKeeper(pending);
        listPositionOwner(opened, pending);
        listPool(opened);
        listAccount(vault.accountOf(opened));
    }

    function testFuzz_I25_no_stranger_reaches_a_privileged_call(address caller) public {
        for (uint256 i = 0; i < calls.length; ++i) vm.assume(caller != calls[i].rightful);
        for (uint256 i = 0; i < calls.length; ++i) {
            PrivilegedCall memory c = calls[i];
            vm.prank(caller, caller);
            (bool done, bytes memory answer) = c.target.call(c.data);
            assertTrue(!done, string.concat("a stranger is refused, call ", vm.toString(i)));
            assertEq(bytes32(bytes4(answer)), bytes32(c.refusal), string.concat("as one, call ", vm.toString(i)));
        }
    }

    /// @dev Only the caller is wrong above: each of these calls does what it says for who may make it.
    function test_I25_the_rightful_caller_of_each_is_heard() public {
        uint256 start = vm.snapshotState();
        for (uint256 i = 0; i < calls.length; ++i) {
            PrivilegedCall memory c = calls[i];
            vm.prank(c.rightful, c.rightful);
            (bool done, bytes memory answer) = c.target.call(c.data);
            assertTrue(done == (c.answer == 0), string.concat("heard, call ", vm.toString(i)));
            if (!done) assertEq(bytes32(bytes4(answer)), bytes32(c.answer), "by name");
            vm.revertToState(start);
        }
    }

    function list(address target, bytes memory data, address rightful, bytes4 refusal) private {
        calls.push(PrivilegedCall(target, data, rightful, refusal, 0));
    }

    function listVaultRoles() private {
        address target = address(vault);
        list(target, abi.encodeCall(IVault.pauseOpening, ()), guardian, IVault.NotGuardian.selector);
        list(target, abi.encodeCall(IVault.resumeOpening, ()), owner, NOT_OWNER);
        list(target, abi.encodeCall(IVault.setQuoteSigner, (FRESH)), owner, NOT_OWNER);
        list(target, abi.encodeCall(IVault.setQuoteSigner, (address(0))), guardian, NOT_OWNER);
        list(target, abi.encodeCall(IVault.setGuardian, (FRESH)), owner, NOT_OWNER);
        list(target, abi.encodeCall(IVault.setBuilder, (bytes32("new"), true)), owner, NOT_OWNER);
        list(target, abi.encodeCall(IVault.setBuilder, (bytes32("builder"), false)), owner, NOT_OWNER);
        address[3] memory holders = [keeper, vm.addr(PRICE_KEY), oracle];
        for (uint256 i = 0; i < 3; ++i) {
            IVault.Role role = IVault.Role(i + 1);
            assertTrue(vault.hasRole(role, holders[i]), "holds the role that is taken away");
            list(target, abi.encodeCall(IVault.setRole, (role, FRESH, true)), owner, NOT_OWNER);
            list(target, abi.encodeCall(IVault.setRole, (role, holders[i], false)), owner, NOT_OWNER);
        }
    }

    /// @dev The successor was named and has not accepted; ownership is never given up.
    function listOwnership(address target) private {
        list(target, abi.encodeCall(Ownable2Step.transferOwnership, (FRESH)), owner, NOT_OWNER);
        list(target, abi.encodeCall(Ownable2Step.acceptOwnership, ()), SUCCESSOR, NOT_OWNER);
        list(target, abi.encodeCall(Ownable.renounceOwnership, ()), owner, NOT_OWNER);
        calls[calls.length - 1].answer = NonRenounceableOwnable2Step.OwnerRequired.selector;
    }

    function listKeeper(bytes32 pending) private {
        IVenueExchange.Order memory o = orderOf(pending, 0, 300e6, 600e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        uint64 validUntil = uint64(block.timestamp + 60);
        list(
            address(vault),
            abi.encodeCall(
                IVault.authorizeOrder,
                (pending, IVault.Purpose.Open, o, validUntil, a, signAttestation(a))
            ),
            keeper,
            IVault.NotKeeper.selector
        );
        list(
            address(vault),
            abi.encodeCall(IVault.finalize, (pending)),
            keeper,
            IVault.NotFinalizableYet.selector
        );
    }

    function listPositionOwner(bytes32 opened, bytes32 pending) private {
        address target = address(vault);
        bytes4 refusal = IVault.NotPositionOwner.selector;
        list(target, abi.encodeCall(IVault.cancelPosition, (pending)), alice, refusal);
        list(target, abi.encodeCall(IVault.requestClose, (opened, 600e6, 0)), alice, refusal);
        list(target, abi.encodeCall(IVault.addMargin, (opened, 1e6)), alice, refusal);
        list(target, abi.encodeCall(IVault.exitByRepaying, (opened, alice)), alice, refusal);
        list(target, abi.encodeCall(IVault.impair, (opened, true)), guardian, NOT_OWNER);
        list(target, abi.encodeCall(IVault.impair, (opened, false)), owner, NOT_OWNER);
        IVault.CreateRequest memory r = seeded(3);
        bytes memory data = abi.encodeCall(IVault.createPosition, (r, signQuote(r, alice)));
        list(target, data, alice, IVault.InvalidQuoteSignature.selector);
    }

    function listPool(bytes32 opened) private {
        address target = address(pool);
        bytes4 refusal = ILiquidityPool.OnlyVault.selector;
        address account = vault.accountOf(opened);
        ILiquidityPool.Booking memory b = ILiquidityPool.Booking(1, 0, 0, 0, 0, 0);
        // The vault books what has arrived, so that this unit is here already.
        usdc.mint(target, 1);
        list(target, abi.encodeCall(ILiquidityPool.lend, (opened, yesOutcome, account, 1)), address(vault), refusal);
        list(target, abi.encodeCall(ILiquidityPool.book, (opened, yesOutcome, b)), address(vault), refusal);
        list(target, abi.encodeCall(ILiquidityPool.impair, (opened, yesOutcome, 1)), address(vault), refusal);
        list(target, abi.encodeCall(ILiquidityPool.setTreasury, (FRESH)), owner, NOT_OWNER);
        list(target, abi.encodeCall(ILiquidityPool.setParameters, (pool.parametersOf())), owner, NOT_OWNER);
        list(target, abi.encodeCall(ILiquidityPool.setOutcomeCap, (yesOutcome, true, 0)), owner, NOT_OWNER);
        uint256 shares = pool.redeemRequestOf(lp).shares;
        bytes memory out = abi.encodeCall(ILiquidityPool.redeem, (shares - 1, lp, lp));
        list(target, out, lp, IERC20Errors.ERC20InsufficientAllowance.selector);
    }

    function listAccount(address target) private {
        address by = address(vault);
        bytes4 refusal = IPositionAccount.OnlyVault.selector;
        list(target, abi.encodeCall(IPositionAccount.allowUsdc, (1)), by, refusal);
        list(target, abi.encodeCall(IPositionAccount.allowTokens, (true)), by, refusal);
        list(target, abi.encodeCall(IPositionAccount.sendUsdc, (address(pool), 1, alice, 1)), by, refusal);
        list(target, abi.encodeCall(IPositionAccount.sendTokens, (address(tokens), alice, yesId, 1)), by, refusal);
        list(target, abi.encodeCall(IPositionAccount.trySendTokens, (address(tokens), alice, yesId, 1)), by, refusal);
        list(target, abi.encodeCall(IPositionAccount.redeem, (address(tokens), conditionId, 1, 0)), by, refusal);
        by = address(tokens);
        refusal = IPositionAccount.TokensNotFromExchange.selector;
        uint256[] memory one = new uint256[](1);
        bytes memory single = abi.encodeCall(
            IERC1155Receiver.onERC1155Received,
            (address(exchange), maker, yesId, 1, "")
        );
        bytes memory batch = abi.encodeCall(
            IERC1155Receiver.onERC1155BatchReceived,
            (address(exchange), maker, one, one, "")
        );
        list(target, single, by, refusal);
        list(target, batch, by, refusal);
    }
}
