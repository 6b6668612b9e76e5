// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {Caller} from "../fixtures/HostileUsers.sol";
import {VaultFixture} from "../fixtures/VaultFixture.sol";

/// @notice Code of an account that has delegated itself: it passes a call on in its own name.
contract Delegated is Caller {}

/// @notice A counterparty with code: it signs every order, and calls on when outcome tokens reach it.
contract Counterparty {
    address private target;
    bytes private data;
    bool public called;
    bool public refused;
    bytes4 public reason;

    constructor(address usdc, address exchange) {
        IERC20(usdc).approve(exchange, type(uint256).max);
    }

    function arm(address to, bytes calldata what) external {
        (target, data, called) = (to, what, false);
    }

    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4 magic) {
        return 0x1626ba7e;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4 magic) {
        if (!called && target != address(0)) {
            called = true;
            (bool ok, bytes memory answer) = target.call(data);
            refused = !ok;
            // forge-lint: disable-next-line(unsafe-typecast)
            reason = bytes4(answer);
        }
        return 0xf23a6e61;
    }
}

/// @notice The exchange takes what an account gives, serves the makers, and pays the account last. A maker with code
/// runs in between, when the account looks as if all were lost: it must not be measured there.
contract InsideMatchTest is VaultFixture {
    // Decision: contracts/DECISIONS.md#only-the-sender-of-a-transaction-ends-an-order
    Counterparty internal other;

    function setUp() public override {
        super.setUp();
        other = new Counterparty(address(usdc), address(exchange));
        usdc.mint(address(other), 1_000_000e6);
    }

    function test_attack_keeper_finalizes_an_opening_inside_its_match() public {
        bytes32 key = create(tenfold(1_000e6), alice);
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        armKeeper(abi.encodeCall(IVault.finalize, (key)));
        mintAgainst(o, 10_000e6, 20_000e6, 300e6);
        assertRefused();
        vm.etch(keeper, "");
        finalize(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(principalOf(key), 9_000e6, "the loan is unchanged");
        assertEq(tokensOf(key), 20_000e6, "and so do the tokens");
    }

    function test_attack_keeper_authorizes_again_inside_a_match() public {
        bytes32 key = create(tenfold(1_000e6), alice);
        IVenueExchange.Order memory o = authorizeOpen(key, 5_000);
        IVenueExchange.Order memory next = orderOf(key, 0, 10_000e6, 20_000e6);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, 5_000, 5_000);
        uint64 validUntil = uint64(block.timestamp + 120);
        armKeeper(
            abi.encodeCall(
                IVault.authorizeOrder,
                (key, IVault.Purpose.Open, next, validUntil, a, signAttestation(a))
            )
        );
        mintAgainst(o, 10_000e6, 20_000e6, 300e6);
        assertRefused();
    }

    function test_attack_owner_cancels_inside_a_late_match_of_the_owners_opening() public {
        vm.prank(address(other), address(other));
        usdc.approve(address(vault), type(uint256).max);
        bytes32 key = create(tenfold(1_000e6), address(other));
        IVenueExchange.Order memory o = preapproved(authorizeOpen(key, 5_000));
        skip(121);
        other.arm(address(vault), abi.encodeCall(IVault.cancelPosition, (key)));
        mintAgainst(o, 10_000e6, 20_000e6, 300e6);
        assertState(key, IVault.PositionState.Pending);
        assertTrue(vault.positionOf(key).cancelRequested, "the request is noted");
        finalize(key);
        assertState(key, IVault.PositionState.Open);
        assertEq(principalOf(key), 9_000e6, "what was bought is open, and owed for");
    }

    function test_attack_stranger_ends_anothers_opening_inside_a_late_match() public {
        bytes32 key = create(tenfold(1_000e6), alice);
        skip(200);
        IVenueExchange.Order memory o = preapproved(authorizeOpen(key, 5_000));
        skip(121);
        bytes32[] memory keys = new bytes32[](1);
        keys[0] = key;
        other.arm(address(vault), abi.encodeCall(IVault.finalizeMany, (keys)));
        mintAgainst(o, 10_000e6, 20_000e6, 300e6);
        assertTrue(other.called() && !other.refused(), "one that cannot be measured is passed over");
        assertState(key, IVault.PositionState.Pending);
        finalize(key);
        assertState(key, IVault.PositionState.Open);
    }

    function test_attack_stranger_settles_inside_the_match_of_a_liquidation() public {
        bytes32 key = open(tenfold(10_000e6), alice, 5_000);
        skip(30 days);
        uint256 assets = pool.totalAssets();
        uint256 before = usdc.balanceOf(alice);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Liquidate, 200_000e6, 4_800);
        resolve(0, 1);
        other.arm(address(vault), abi.encodeCall(IVault.settle, (key)));
        sellTo(o, 96_000e6, 200_000e6);
        assertRefused();
        vm.prank(bob, bob);
        vault.settle(key);
        assertState(key, IVault.PositionState.Liquidated);
        assertEq(usdc.balanceOf(alice) - before, 96_000e6 - principal - fees - principal / 100, "what is left");
        assertGe(pool.totalAssets(), assets, "a sale that paid everything costs the providers nothing");
    }

    function test_attack_part_of_a_close_booked_inside_its_match() public {
        IVault.CreateRequest memory r = requestOf(seedOf(1), 10_000e6, 15_000);
        bytes32 key = open(r, alice, 5_000);
        vm.prank(alice, alice);
        vault.requestClose(key, 19_000e6, 0);
        IVenueExchange.Order memory o = authorizeSale(key, IVault.Purpose.Close, 19_000e6, 5_000);
        armKeeper(abi.encodeCall(IVault.finalize, (key)));
        sellTo(o, 9_500e6, 19_000e6);
        assertRefused();
        vm.etch(keeper, "");
        uint256 before = usdc.balanceOf(alice);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        finalize(key);
        uint256 due = (principal * 19 + 29) / 30 + (fees * 19 + 29) / 30;
        assertEq(usdc.balanceOf(alice) - before, 9_500e6 - due, "the owner's share of the sale");
    }

    function test_attack_owner_exits_inside_a_late_match_of_the_owners_close() public {
        vm.prank(address(other), address(other));
        usdc.approve(address(vault), type(uint256).max);
        bytes32 key = open(tenfold(1_000e6), address(other), 5_000);
        vm.prank(address(other), address(other));
        vault.requestClose(key, 20_000e6, 0);
        IVenueExchange.Order memory o = preapproved(authorizeSale(key, IVault.Purpose.Close, 20_000e6, 5_000));
        skip(61);
        other.arm(address(vault), abi.encodeCall(IVault.exitByRepaying, (key, address(other))));
        sellTo(o, 10_000e6, 20_000e6);
        assertRefused();
        assertState(key, IVault.PositionState.Open);
    }

    function test_a_wallet_with_code_waits_for_another_account_to_end_its_expired_order() public {
        vm.prank(address(other), address(other));
        usdc.approve(address(vault), type(uint256).max);
        bytes32 key = create(tenfold(1_000e6), address(other));
        authorizeOpen(key, 5_000);
        skip(121);
        vm.prank(address(other), bob);
        vm.expectRevert(IVault.NotFinalizableYet.selector);
        vault.finalize(key);
        vm.prank(address(other), bob);
        vault.cancelPosition(key);
        vm.prank(address(other), bob);
        vm.expectRevert(IVault.InsideCall.selector);
        vault.finalize(key);
        uint256 before = usdc.balanceOf(address(other));
        vm.prank(bob, bob);
        vault.finalize(key);
        assertState(key, IVault.PositionState.Cancelled);
        assertEq(usdc.balanceOf(address(other)) - before, 1_000e6 + 100e6 + 400e6, "all of it is back");
    }

    function armKeeper(bytes memory call) private {
        vm.etch(keeper, type(Delegated).runtimeCode);
        other.arm(keeper, abi.encodeCall(Caller.call, (address(vault), call)));
    }

    /// @dev The other side buys NO: the exchange mints a pair, and NO reaches it before YES reaches the account.
    function mintAgainst(IVenueExchange.Order memory o, uint256 gives, uint256 receives, uint256 fee) private {
        matchOther(o, otherOrder(noId, gives, receives), fee);
    }

    function sellTo(IVenueExchange.Order memory o, uint256 gives, uint256 receives) private {
        matchOther(o, otherOrder(yesId, gives, receives), 0);
    }

    function otherOrder(
        uint256 tokenId,
        uint256 gives,
        uint256 receives
    ) private returns (IVenueExchange.Order memory o) {
        o.salt = nextSalt++;
        o.maker = address(other);
        o.signer = address(other);
        o.tokenId = tokenId;
        o.makerAmount = gives;
        o.takerAmount = receives;
        o.signatureType = 3;
        o.signature = hex"01";
    }

    function matchOther(IVenueExchange.Order memory o, IVenueExchange.Order memory theirs, uint256 fee) private {
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = theirs;
        matchWith(o, makers, o.makerAmount, fee);
    }

    function assertRefused() private view {
        assertTrue(other.called(), "the call was made inside the match");
        assertTrue(other.refused(), "and refused");
        assertEq(bytes32(other.reason()), bytes32(IVault.InsideCall.selector), "by its name");
    }
}
