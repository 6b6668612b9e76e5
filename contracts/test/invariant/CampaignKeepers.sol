// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ILiquidityPool} from "../../src/interfaces/ILiquidityPool.sol";
import {IVault} from "../../src/interfaces/IVault.sol";
import {CampaignEndings} from "./CampaignEndings.sol";

/// @notice Providers, the owner's figures, the keys of the protocol, donations and time.
abstract contract CampaignKeepers is CampaignEndings {
    uint256 internal poolDonationUsdcUnits;
    uint256 private rotations;

    // ------------------------------------------------------------ providers

    function deposit(uint256 seed, uint256 usdcUnits) public watched {
        actor = providers[seed % providers.length];
        usdcUnits = bound(usdcUnits, 1, 100_000e6);
        if (isBlacklisted(actor)) return;
        usdc.mint(actor, usdcUnits);
        vm.startPrank(actor, actor);
        usdc.approve(address(pool), usdcUnits);
        if (pool.previewDeposit(usdcUnits) == 0) vm.expectRevert(ILiquidityPool.NoShares.selector);
        uint256 shares = pool.deposit(usdcUnits, actor);
        vm.stopPrank();
        assertLe(pool.convertToAssets(shares), usdcUnits, "I5 no profit from a round trip");
        did(Deed.Deposited);
    }

    function requestRedeem(uint256 seed, uint256 shares) public watched {
        actor = providers[seed % providers.length];
        uint256 maximum = pool.balanceOf(actor);
        if (maximum == 0) return;
        shares = bound(shares, 1, maximum);
        uint256 worth = pool.previewRedeem(shares);
        (bool done, bytes4 reason) = attempt(
            actor,
            address(pool),
            abi.encodeCall(ILiquidityPool.requestRedeem, (shares, worth + 1))
        );
        assertRefused(done, reason, ILiquidityPool.WorthBelowMinimum.selector, "V4 not for less than is accepted");
        vm.prank(actor, actor);
        assertEq(pool.requestRedeem(shares, worth), worth, "V4 the worth of that moment is the cap");
        did(Deed.RedeemAsked);
    }

    function redeem(uint256 seed, uint256 shares) public watched {
        actor = providers[seed % providers.length];
        uint256 maximum = pool.maxRedeem(actor);
        if (maximum == 0) return exitRefused(actor);
        shares = bound(shares, 1, maximum);
        uint256 worth = pool.previewRedeem(shares);
        uint256 part = (askedCap(actor) * shares) / askedShares[actor];
        uint256 before = usdc.balanceOf(actor);
        (bool done, bytes4 reason) = attempt(
            actor,
            address(pool),
            abi.encodeCall(ILiquidityPool.redeem, (shares, actor, actor))
        );
        assertDoneUnlessBlacklisted(done, reason, actor, "a matured request is paid");
        if (!done) return;
        assertEq(usdc.balanceOf(actor) - before, part < worth ? part : worth, "V4 the lower of cap and worth");
        did(part < worth ? Deed.RedeemedCapped : Deed.Redeemed);
    }

    /// @dev Before its time, or without idle money, nothing leaves: neither by redeem nor by withdraw.
    function exitRefused(address provider) private {
        uint256 shares = askedShares[provider];
        if (shares == 0) return;
        bytes memory out = abi.encodeCall(ILiquidityPool.redeem, (1, provider, provider));
        (bool done, ) = attempt(provider, address(pool), out);
        assertTrue(!done, "V4 not before it may");
        out = abi.encodeCall(pool.withdraw, (1, provider, provider));
        (done, ) = attempt(provider, address(pool), out);
        assertTrue(!done, "V4 withdraw is off");
        did(Deed.ExitRefused);
    }

    /// @dev Anyone sends a whole request to its owner while it brings its whole cap, and in no other case.
    function sendToOwner(uint256 seed, uint256 part) public watched {
        address provider = providers[seed % providers.length];
        uint256 asked = askedShares[provider];
        if (asked == 0) return;
        uint256 shares = part % 4 == 0 ? bound(part, 1, asked) : asked;
        bool whole = shares == asked && pool.maxRedeem(provider) == asked;
        whole = whole && pool.previewRedeem(shares) >= askedCap(provider);
        uint256 cap = askedCap(provider);
        uint256 before = usdc.balanceOf(provider);
        (bool done, bytes4 reason) = attempt(
            stranger,
            address(pool),
            abi.encodeCall(ILiquidityPool.redeem, (shares, provider, provider))
        );
        if (!whole) return assertTrue(!done, "V4 no one is sent away for less than the cap");
        assertDoneUnlessBlacklisted(done, reason, provider, "V4 or kept from being sent");
        if (!done) return;
        actor = provider;
        assertEq(usdc.balanceOf(provider) - before, cap, "V4 for the whole cap");
        did(Deed.SentToOwner);
    }

    function payTreasury() public watched {
        actor = treasury;
        uint256 owed = pool.bookOf().treasuryOwedUsdcUnits;
        uint256 before = usdc.balanceOf(treasury);
        (bool done, bytes4 reason) = attempt(
            stranger,
            address(pool),
            abi.encodeCall(ILiquidityPool.payTreasury, ())
        );
        assertDoneUnlessBlacklisted(done, reason, treasury, "the treasury is paid unless it is blacklisted");
        if (done) assertEq(usdc.balanceOf(treasury) - before, owed, "paid what is owed");
        did(done ? Deed.TreasuryPaid : Deed.TreasuryBlacklisted);
    }

    // ------------------------------------------------------------ the owner's figures

    /// @dev Figures more often than keys, keys more often than owners.
    function govern(uint256 seed, uint256 figure) public watched {
        uint256 kind = seed % 8;
        seed >>= 8;
        if (kind < 2) setOutcomeCap(seed, figure);
        else if (kind < 4) setParameters(seed, figure);
        else if (kind < 6) pauseOrResume(seed);
        else if (kind == 6) changeKey(seed);
        else changeOwner();
    }

    function setOutcomeCap(uint256 seed, uint256 cap) private {
        uint32 outcomeId = sides[seed % sides.length].outcomeId;
        bool hasCap = (seed >> 8) % 3 != 0;
        vm.prank(poolOwner, poolOwner);
        pool.setOutcomeCap(outcomeId, hasCap, uint64(cap % 4 == 0 ? cap % 1_000e6 : cap % 150_000e6));
        did(Deed.CapSet);
    }

    /// @dev Any parameters inside the constants' bounds; mostly ones that still let something be lent.
    function setParameters(uint256 seed, uint256 caps) private {
        ILiquidityPool.Parameters memory p;
        p.totalCapUsdcUnits = uint64(caps % 4 == 0 ? caps % 200_000e6 : 1_000_000e6);
        p.defaultOutcomeCapUsdcUnits = uint64(bound(caps >> 64, 10_000e6, 300_000e6));
        p.utilisationBps = uint16(caps % 5 == 0 ? seed % 10_001 : 7_000 + (seed % 3_001));
        p.protocolCutBps = uint16((seed >> 16) % 5_001);
        p.originationReserveBps = uint16(5_000 + ((seed >> 32) % 5_001));
        p.reserveTargetBps = uint16((seed >> 48) % 5_001);
        vm.prank(poolOwner, poolOwner);
        pool.setParameters(p);
        did(Deed.ParametersSet);
    }

    // ------------------------------------------------------------ pause and keys

    function pauseOrResume(uint256 seed) private {
        bool paused = vault.openingPaused();
        if (!paused && seed % 4 != 0) return;
        (bool done, bytes4 reason) = attempt(stranger, address(vault), abi.encodeCall(IVault.pauseOpening, ()));
        assertRefused(done, reason, IVault.NotGuardian.selector, "I25 not by strangers");
        if (paused) {
            (done, ) = attempt(vault.guardian(), address(vault), abi.encodeCall(IVault.resumeOpening, ()));
            assertTrue(!done, "I25 the guardian resumes nothing");
            vm.prank(owner, owner);
            vault.resumeOpening();
        } else {
            vm.prank((seed >> 8) % 2 == 0 ? guardian : owner, (seed >> 8) % 2 == 0 ? guardian : owner);
            vault.pauseOpening();
        }
        assertTrue(vault.openingPaused() != paused, "I21 switched");
        did(paused ? Deed.Resumed : Deed.Paused);
    }

    /// @dev Vault and pool get a new owner in two steps; the old one has nothing left to say.
    function changeOwner() private {
        address next = address(uint160(0x0b000 + ++rotations));
        (address before, address poolBefore) = (owner, poolOwner);
        vm.prank(before, before);
        vault.transferOwnership(next);
        assertEq(vault.owner(), before, "not before it is accepted");
        vm.prank(poolBefore, poolBefore);
        pool.transferOwnership(next);
        vm.startPrank(next, next);
        vault.acceptOwnership();
        pool.acceptOwnership();
        vm.stopPrank();
        (owner, poolOwner) = (next, next);
        (bool done, ) = attempt(before, address(vault), abi.encodeCall(IVault.resumeOpening, ()));
        assertTrue(!done, "I25 the old owner has no rights");
        (done, ) = attempt(poolBefore, address(pool), abi.encodeCall(ILiquidityPool.setTreasury, (before)));
        assertTrue(!done, "I25 the old owner has no rights");
        did(Deed.OwnerChanged);
    }

    /// @dev The owner gives a new key and the guardian takes the old one, which has nothing left to say.
    function changeKey(uint256 seed) private {
        uint256 fresh = 0xA11CE100 + ++rotations;
        address next = vm.addr(fresh);
        if (seed % 4 == 0) {
            vm.prank(owner, owner);
            vault.setGuardian(next);
            (bool done, ) = attempt(guardian, address(vault), abi.encodeCall(IVault.pauseOpening, ()));
            assertTrue(!done, "I25 the old guardian has no rights");
            guardian = next;
        } else if (seed % 4 == 1) {
            vm.prank(guardian, guardian);
            vault.setQuoteSigner(address(0));
            vm.prank(owner, owner);
            vault.setQuoteSigner(next);
            quoteKey = fresh;
        } else if (seed % 4 == 2) {
            changePriceSigner((seed >> 8) % priceKeys.length, fresh);
        } else {
            changeRole(IVault.Role.Keeper, keeper, next);
            keeper = next;
        }
        did(Deed.KeyChanged);
    }

    function changeRole(IVault.Role role, address before, address next) private {
        (bool done, ) = attempt(guardian, address(vault), abi.encodeCall(IVault.setRole, (role, next, true)));
        assertTrue(!done, "I25 the guardian gives no role");
        (done, ) = attempt(guardian, address(vault), abi.encodeCall(IVault.setRole, (role, before, false)));
        assertTrue(!done, "I25 nor takes the last one away");
        vm.prank(owner, owner);
        vault.setRole(role, next, true);
        vm.prank(guardian, guardian);
        vault.setRole(role, before, false);
        assertTrue(!vault.hasRole(role, before) && vault.hasRole(role, next), "I25 one key for another");
    }

    /// @dev The guardian takes one of four away, and no second one: one host that is down would stop every sale then.
    function changePriceSigner(uint256 index, uint256 fresh) private {
        address before = vm.addr(priceKeys[index]);
        address another = vm.addr(priceKeys[(index + 1) % priceKeys.length]);
        (bool done, bytes4 reason) = attempt(
            guardian,
            address(vault),
            abi.encodeCall(IVault.setRole, (IVault.Role.PriceSigner, vm.addr(fresh), true))
        );
        assertTrue(!done, "I25 the guardian gives no role");
        vm.prank(guardian, guardian);
        vault.setRole(IVault.Role.PriceSigner, before, false);
        (done, reason) = attempt(
            guardian,
            address(vault),
            abi.encodeCall(IVault.setRole, (IVault.Role.PriceSigner, another, false))
        );
        assertRefused(done, reason, IVault.RemovalTooSoon.selector, "W5 one more stays than an order needs");
        vm.prank(owner, owner);
        vault.setRole(IVault.Role.PriceSigner, vm.addr(fresh), true);
        priceKeys[index] = fresh;
        assertEq(vault.priceSignerCount(), priceKeys.length, "V6 one key for another");
    }

    /// @dev The guardian's alarm, and what it does to an order that stands: anyone may end it, nothing else changes.
    function alarm(uint256 seed) public watched {
        uint256 notBefore = vault.alarmEndsAt() + 7 days;
        (bool done, bytes4 reason) = attempt(
            seed % 2 == 0 ? guardian : owner,
            address(vault),
            abi.encodeCall(IVault.raiseAlarm, ())
        );
        if (block.timestamp < notBefore) {
            assertRefused(done, reason, IVault.AlarmTooSoon.selector, "V6 not again until seven days after");
            return did(Deed.AlarmRefused);
        }
        assertTrue(done && vault.alarmEndsAt() == block.timestamp + 6 hours, "V6 for six hours");
        did(Deed.AlarmRaised);
        for (uint256 i = 0; i < keys.length; ++i) {
            IVault.LiveOrder memory live = vault.liveOrderOf(keys[i]);
            if (live.purpose == IVault.Purpose.None || block.timestamp > live.validUntil) continue;
            assertTrue(!vault.isLiveOrder(keys[i], live.orderHash), "V6 no longer signed for");
            if (!mayFinalize(keys[i], false)) continue;
            finalizeBy(keys[i], stranger);
            did(Deed.EndedByAlarm);
        }
    }

    // ------------------------------------------------------------ donations and time

    function give(uint256 seed, uint256 usdcUnits, uint256 to) public watched {
        usdcUnits = bound(usdcUnits, 1, 1_000e6);
        if (to % 2 == 0) {
            uint256 assets = pool.totalAssets();
            usdc.mint(address(pool), usdcUnits);
            poolDonationUsdcUnits += usdcUnits;
            assertEq(pool.totalAssets(), assets, "I23 donations change no share price");
            did(Deed.PoolGiven);
        } else if (keys.length != 0) {
            touch(pick(seed));
            usdc.mint(deals[pick(seed)].account, usdcUnits);
            donateTokens(pick(seed), usdcUnits);
            did(Deed.AccountGiven);
        }
    }

    /// @dev At the PositionManager, where no account can refuse them.
    function donateTokens(bytes32 key, uint256 tokenUnits) private {
        if (!marketOf(key).isManaged) return;
        uint256 tokenId = sideOf(key).tokenId;
        vm.prank(maker, maker);
        manager.unsafeTransferFrom(maker, deals[key].account, tokenId, tokenUnits);
    }

    function wait(uint256 elapsed) public override watched {
        uint256[4] memory longest = [uint256(30), 400, 2 days, 90 days];
        skip(bound(elapsed, 1, longest[elapsed % 4]));
        did(Deed.Waited);
    }
}
