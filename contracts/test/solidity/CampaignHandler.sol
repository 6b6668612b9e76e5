// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVault} from "../../src/interfaces/IVault.sol";
import {IVenueExchange} from "../../src/interfaces/IVenueExchange.sol";
import {VaultFixture} from "./VaultFixture.sol";

/// @notice Everything anybody may do, in any order, with any figure. Verbs that must never fail are called plainly;
/// those whose checks may refuse are tried. What must hold at the moment of an action is asserted here.
abstract contract CampaignHandler is VaultFixture {
    uint256 private constant MAX_POSITIONS = 10;

    bytes32[] internal keys;
    mapping(bytes32 key => IVault.PositionState state) private ended;
    mapping(bytes32 key => IVenueExchange.Order order) private orders;
    mapping(bytes32 key => uint256 mark) private marks;
    /// @dev Openings whose fee passed its share of the budget: what they were checked for no longer bounds them.
    mapping(bytes32 key => bool passed) private overrun;
    IVenueExchange.Order[] private stale;
    uint256 internal badDebtUsdcUnits;
    uint256 internal poolGiftUsdcUnits;
    uint256 internal opened;
    uint256 internal sold;
    bool internal resolved;
    address[] internal providers;

    constructor() {
        providers.push(lp);
        providers.push(bob);
    }

    modifier tracked() {
        uint256 price = pool.convertToAssets(1e18);
        uint256 reserve = pool.bookOf().reserveUsdcUnits;
        _;
        uint256 lost = noteEndings();
        if (lost <= reserve) assertGe(pool.convertToAssets(1e18), price, "I4 only losses beyond the reserve cost");
    }

    /// @dev Terminal positions keep their state for ever; new bad debt is summed.
    function noteEndings() private returns (uint256 lost) {
        uint256 total;
        for (uint256 i = 0; i < keys.length; ++i) {
            IVault.Position memory p = vault.positionOf(keys[i]);
            IVault.PositionState before = ended[keys[i]];
            if (before != IVault.PositionState.None) {
                assertEq(uint256(p.state), uint256(before), "I15 terminal states stay");
            } else if (uint256(p.state) > uint256(IVault.PositionState.Open)) {
                ended[keys[i]] = p.state;
            }
            total += p.badDebtUsdcUnits;
        }
        lost = total > badDebtUsdcUnits ? total - badDebtUsdcUnits : 0;
        badDebtUsdcUnits = total;
    }

    function pick(uint256 seed) private view returns (bytes32) {
        return keys.length == 0 ? bytes32(0) : keys[seed % keys.length];
    }

    function userOf(bytes32 key) private view returns (address) {
        return vault.positionOf(key).user;
    }

    // ------------------------------------------------------------ life of a position

    function createPosition(uint256 collateral, uint256 leverage, uint256 fees, bool partially) external tracked {
        if (keys.length >= MAX_POSITIONS || resolved) return;
        collateral = bound(collateral, 1e6, 5_000e6) / 4 * 4;
        if (collateral < 1e6) collateral = 1e6;
        uint32 leverageBps = uint32(bound(leverage, 6, 40) * 2_500);
        bytes16 seed = bytes16(uint128(keys.length + 1) << 100);
        IVault.CreateRequest memory r = requestOf(seed, collateral, leverageBps);
        if (r.notionalUsdcUnits * 10_000 != collateral * leverageBps) return;
        r.originationFeeBps = uint16(fees % 501);
        r.lifetimeFeeAprBps = uint16((fees >> 16) % 2_001);
        r.liquidationFeeBps = uint16((fees >> 32) % 1_001);
        r.venueFeeUsdcUnits = (r.notionalUsdcUnits * ((fees >> 48) % 1_001)) / 10_000;
        r.minFillBps = partially ? 2_000 : 10_000;
        keys.push(create(r, fees % 2 == 0 ? alice : bob));
    }

    function authorizeOpening(uint256 seed, uint256 price, uint256 part) external tracked {
        bytes32 key = pick(seed);
        if (key == 0 || stateOf(key) != IVault.PositionState.Pending) return;
        uint32 pricePips = uint32(bound(price, 500, 9_500));
        IVault.Position memory p = vault.positionOf(key);
        uint256 most = p.notionalUsdcUnits - p.filledUsdcUnits;
        uint256 gives = p.minFillBps == 10_000 ? most : bound(part, most / 4, most);
        uint256 receives = (gives * 10_000 + pricePips - 1) / pricePips;
        IVenueExchange.Order memory o = orderOf(key, 0, gives, receives);
        IVault.PriceAttestation memory a = attestation(IVault.Purpose.Open, pricePips, pricePips);
        a.venueFeeBps = 0;
        if (tryAuthorize(key, o, a)) {
            if (pricePips > marks[key]) marks[key] = pricePips;
            assertLe(pool.bookOf().lentUsdcUnits * 10, pool.totalAssets() * 8, "I13 utilisation");
        }
    }

    function authorizeSelling(uint256 seed, uint256 price, uint256 part, uint8 kind) external tracked {
        bytes32 key = pick(seed);
        if (key == 0 || stateOf(key) != IVault.PositionState.Open) return;
        IVault.Purpose purpose = IVault.Purpose(2 + (kind % 3));
        IVault.Position memory p = vault.positionOf(key);
        uint256 gives = kind % 2 == 0 ? p.tokenUnits : bound(part, 1, p.tokenUnits);
        uint256 high = 9_500;
        if (purpose == IVault.Purpose.Liquidate) high = vault.liquidationPriceOf(key);
        if (purpose == IVault.Purpose.Close && p.closeTokenUnits != 0) gives = bound(part, 1, p.closeTokenUnits);
        if (high == 0) return;
        uint32 pricePips = uint32(bound(price, 1, high > 9_999 ? 9_999 : high));
        IVenueExchange.Order memory o = orderOf(key, 1, gives, (gives * pricePips + 9_999) / 10_000);
        IVault.PriceAttestation memory a = attestation(purpose, pricePips, pricePips);
        a.venueFeeBps = 300;
        (, uint256 threshold, ) = vault.healthOf(key, pricePips);
        uint256 perToken = p.tokenUnits == 0 ? 0 : (threshold * 10_000) / p.tokenUnits;
        bool done = tryAuthorize(key, o, a);
        if (done && purpose == IVault.Purpose.Liquidate) assertLe(pricePips, perToken, "I16 only when unhealthy");
    }

    function tryAuthorize(
        bytes32 key,
        IVenueExchange.Order memory o,
        IVault.PriceAttestation memory a
    ) private returns (bool done) {
        bytes memory signature = signAttestation(a);
        uint64 validUntil = uint64(block.timestamp + 60);
        vm.prank(keeper);
        (done, ) = address(vault).call(
            abi.encodeCall(
                IVault.authorizeOrder,
                (key, IVault.Purpose(a.purpose), o, validUntil, a, signature)
            )
        );
        if (!done) return false;
        if (orders[key].maker != address(0)) stale.push(orders[key]);
        orders[key] = o;
    }

    /// @dev The operator fills a part of the standing order, with any fee the exchange allows up to the budget.
    function fillOrder(uint256 seed, uint256 part, uint256 feeSeed) external tracked {
        bytes32 key = pick(seed);
        if (key == 0) return;
        IVault.LiveOrder memory live = vault.liveOrderOf(key);
        if (live.orderHash == 0) return;
        IVenueExchange.Order memory o = orders[key];
        (bool filled, uint248 remaining) = exchange.getOrderStatus(live.orderHash);
        if (filled || block.timestamp > live.validUntil) return;
        uint256 most = remaining == 0 ? o.makerAmount : remaining;
        uint256 gives = part % 3 == 0 ? most : bound(part, 1, most);
        uint256 receives = (gives * o.takerAmount + o.makerAmount - 1) / o.makerAmount;
        uint256 traded = o.side == 0 ? gives : receives;
        uint256 fee = bound(feeSeed, 0, (traded * 3) / 100);
        if (o.side == 0) {
            uint256 allowance = usdc.allowance(o.maker, address(exchange));
            if (gives > allowance) return;
            if (fee > allowance - gives) fee = allowance - gives;
            IVault.Position memory p = vault.positionOf(key);
            if (fee * p.notionalUsdcUnits > gives * p.venueFeeUsdcUnits) overrun[key] = true;
        }
        uint256 cash = usdc.balanceOf(o.maker);
        fill(o, gives, receives, fee);
        if (o.side == 0) assertLe(cash - usdc.balanceOf(o.maker), gives + fee, "N3 at most order and fee");
    }

    /// @dev An old, pre-approved order after its end: nothing moves while no order stands.
    function fillStaleOrder(uint256 seed) external tracked {
        if (stale.length == 0) return;
        IVenueExchange.Order memory o = stale[seed % stale.length];
        if (usdc.allowance(o.maker, address(exchange)) != 0 || tokens.isApprovedForAll(o.maker, address(exchange))) {
            return;
        }
        IVenueExchange.Order[] memory makers = new IVenueExchange.Order[](1);
        makers[0] = makerOrder(o.tokenId, 1 - o.side, o.takerAmount, o.makerAmount);
        uint256[] memory fills = new uint256[](1);
        fills[0] = o.takerAmount;
        vm.prank(operator);
        (bool done, ) = address(exchange).call(
            abi.encodeCall(
                exchange.matchOrders,
                (o, makers, o.makerAmount, o.takerAmount, fills, 0, new uint256[](1))
            )
        );
        assertTrue(!done, "the allowance is the kill switch");
    }

    function finalizePosition(uint256 seed, bool asKeeper) external tracked {
        bytes32 key = pick(seed);
        if (key == 0) return;
        IVault.Position memory p = vault.positionOf(key);
        IVault.LiveOrder memory live = vault.liveOrderOf(key);
        bool pending = p.state == IVault.PositionState.Pending;
        if (!pending && (p.state != IVault.PositionState.Open || live.orderHash == 0)) return;
        bool alive = live.orderHash != 0 && block.timestamp <= live.validUntil;
        bool over = !pending || p.cancelRequested || block.timestamp > p.since + 300;
        bool allowed = asKeeper || (!alive && over);
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        uint256 paid = usdc.balanceOf(p.user);
        vm.prank(asKeeper ? keeper : stranger);
        (bool done, ) = address(vault).call(abi.encodeCall(IVault.finalize, (key)));
        assertTrue(done == allowed, "N6 total, N7 strangers end no live order");
        if (!done) return;
        IVault.Position memory q = vault.positionOf(key);
        if (pending && q.state == IVault.PositionState.Open) {
            ++opened;
            if (!overrun[key]) {
                assertLe(vault.liquidationPriceOf(key) * 100, marks[key] * 99, "N4 nothing is born liquidatable");
            }
        }
        if (!pending) checkSale(p, q, live, principal + fees, usdc.balanceOf(p.user) - paid);
    }

    function checkSale(
        IVault.Position memory p,
        IVault.Position memory q,
        IVault.LiveOrder memory live,
        uint256 debtBefore,
        uint256 paid
    ) private {
        if (q.tokenUnits != p.tokenUnits) ++sold;
        uint256 debtNow = uint256(q.principalUsdcUnits) + q.pendingFeeUsdcUnits + q.badDebtUsdcUnits;
        if (q.state == IVault.PositionState.Open) {
            assertLe(debtNow, debtBefore, "I16 a sale never raises debt");
            bool part = live.makerAmount + 10_000 <= p.tokenUnits;
            if (part && live.purpose != IVault.Purpose.Liquidate) {
                assertLe(debtNow * p.tokenUnits, debtBefore * q.tokenUnits + 2 * p.tokenUnits, "N5 debt per token");
            }
            if (paid != 0 && live.purpose != IVault.Purpose.Close) {
                assertEq(debtNow, 0, "I7 the pool is whole before the user");
            }
        } else if (paid != 0) {
            assertEq(debtNow, 0, "I7 the pool is whole before the user");
        }
    }

    function cancel(uint256 seed) external tracked {
        bytes32 key = pick(seed);
        if (key == 0 || stateOf(key) != IVault.PositionState.Pending) return;
        vm.prank(userOf(key));
        vault.cancelPosition(key);
    }

    function requestClosing(uint256 seed, uint256 part, uint256 price) external tracked {
        bytes32 key = pick(seed);
        if (key == 0 || stateOf(key) != IVault.PositionState.Open) return;
        IVault.Position memory p = vault.positionOf(key);
        uint256 least = (uint256(p.originalTokenUnits) + 4) / 5;
        if (least < 5e6) least = 5e6;
        uint256 asked = part % 4 == 0 || p.tokenUnits < least + 5e6 ? p.tokenUnits : bound(part, least, p.tokenUnits - 5e6);
        vm.prank(p.user);
        vault.requestClose(key, asked, price % 5_000);
    }

    function addMargin(uint256 seed, uint256 usdcUnits) external tracked {
        bytes32 key = pick(seed);
        if (key == 0 || stateOf(key) != IVault.PositionState.Open) return;
        (uint256 principal, uint256 fees) = vault.debtOf(key);
        if (principal + fees == 0) return;
        uint256 price = vault.liquidationPriceOf(key);
        vm.prank(userOf(key));
        vault.addMargin(key, bound(usdcUnits, 1, 2 * (principal + fees)));
        assertLe(vault.liquidationPriceOf(key), price, "I17 margin only helps");
    }

    function exit(uint256 seed) external tracked {
        bytes32 key = pick(seed);
        if (key == 0 || stateOf(key) != IVault.PositionState.Open) return;
        IVault.LiveOrder memory live = vault.liveOrderOf(key);
        if (live.orderHash != 0 && block.timestamp <= live.validUntil) return;
        vm.prank(userOf(key));
        vault.exitByRepaying(key, address(0xbeef));
        assertTrue(stateOf(key) != IVault.PositionState.Open, "out");
    }

    function resolveMarket(uint256 seed, uint256 yesPart, uint256 noPart) external tracked {
        if (resolved || keys.length < MAX_POSITIONS / 2 || seed % 8 != 0) return;
        resolved = true;
        yesPart = bound(yesPart, 0, 3);
        resolve(yesPart, yesPart == 0 ? 1 : bound(noPart, 0, 3));
    }

    function settlePosition(uint256 seed) external tracked {
        bytes32 key = pick(seed);
        if (key == 0 || !resolved || uint256(stateOf(key)) > uint256(IVault.PositionState.Open)) return;
        vm.prank(stranger);
        vault.settle(key);
        assertTrue(uint256(stateOf(key)) > uint256(IVault.PositionState.Open), "I19 settled once");
    }

    function claimPosition(uint256 seed, bool asUser) external tracked {
        bytes32 key = pick(seed);
        if (key == 0 || uint256(stateOf(key)) <= uint256(IVault.PositionState.Open)) return;
        if (cashOf(key) == 0 && (!asUser || tokensOf(key) == 0)) return;
        vm.prank(asUser ? userOf(key) : stranger);
        vault.claim(key);
    }

    function writeOff(uint256 seed) external tracked {
        bytes32 key = pick(seed);
        if (key == 0) return;
        IVault.Position memory p = vault.positionOf(key);
        if (p.state != IVault.PositionState.Open || p.principalUsdcUnits == 0) return;
        if (block.timestamp < p.since + 60 days || vault.liveOrderOf(key).orderHash != 0) return;
        vm.prank(owner);
        vault.writeOff(key);
    }

    // ------------------------------------------------------------ whole stories, so that sequences go deep

    function openWhole(uint256 collateral, uint256 price, uint256 part) external {
        uint256 before = keys.length;
        this.createPosition(collateral, part % 10, price, part % 2 == 0);
        if (keys.length == before) return;
        this.authorizeOpening(before, 3_000 + (price % 6_000), type(uint256).max);
        this.fillOrder(before, part, price);
        if (part % 5 != 0) this.finalizePosition(before, true);
    }

    function sellSome(uint256 seed, uint256 price, uint256 part, uint8 kind) external {
        if (kind % 3 == 0) this.requestClosing(seed, part, price % 1_000);
        this.authorizeSelling(seed, 1_000 + (price % 5_000), part, kind);
        this.fillOrder(seed, part / 3, price);
        if (part % 5 != 0) this.finalizePosition(seed, true);
    }

    // ------------------------------------------------------------ providers, gifts, time

    function deposit(uint256 seed, uint256 usdcUnits) external tracked {
        address provider = providers[seed % providers.length];
        usdcUnits = bound(usdcUnits, 1, 100_000e6);
        usdc.mint(provider, usdcUnits);
        vm.startPrank(provider);
        usdc.approve(address(pool), usdcUnits);
        uint256 shares = pool.deposit(usdcUnits, provider);
        vm.stopPrank();
        assertLe(pool.convertToAssets(shares), usdcUnits, "I5 no profit from a round trip");
    }

    function requestRedeem(uint256 seed, uint256 shares) external tracked {
        address provider = providers[seed % providers.length];
        uint256 most = pool.balanceOf(provider);
        if (most == 0) return;
        vm.prank(provider);
        pool.requestRedeem(bound(shares, 1, most));
    }

    function redeem(uint256 seed, uint256 shares) external tracked {
        address provider = providers[seed % providers.length];
        uint256 most = pool.maxRedeem(provider);
        if (most == 0) return;
        shares = bound(shares, 1, most);
        uint256 before = usdc.balanceOf(provider);
        uint256 worth = pool.previewRedeem(shares);
        vm.prank(provider);
        pool.redeem(shares, provider, provider);
        assertEq(usdc.balanceOf(provider) - before, worth, "paid as previewed");
    }

    function cancelRedeem(uint256 seed, uint256 shares) external tracked {
        address provider = providers[seed % providers.length];
        uint256 most = pool.redeemRequestOf(provider).shares;
        if (most == 0) return;
        vm.prank(provider);
        pool.cancelRedeem(provider, bound(shares, 1, most));
    }

    function payTreasury() external tracked {
        uint256 owed = pool.bookOf().treasuryOwedUsdcUnits;
        assertEq(pool.payTreasury(), owed, "paid what is owed");
    }

    function give(uint256 seed, uint256 usdcUnits, bool toPool) external tracked {
        usdcUnits = bound(usdcUnits, 1, 1_000e6);
        if (toPool) {
            uint256 assets = pool.totalAssets();
            usdc.mint(address(pool), usdcUnits);
            poolGiftUsdcUnits += usdcUnits;
            assertEq(pool.totalAssets(), assets, "I23 gifts change no share price");
        } else if (keys.length != 0) {
            usdc.mint(vault.accountOf(pick(seed)), usdcUnits);
        }
    }

    function wait(uint256 elapsed) external tracked {
        uint256[4] memory longest = [uint256(30), 400, 2 days, 90 days];
        skip(bound(elapsed, 1, longest[elapsed % 4]));
    }
}
