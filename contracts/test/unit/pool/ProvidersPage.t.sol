// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice The run whose figures docs/liquidity.md shows: each of them stands there as it is reckoned here.
contract ProvidersPageTest is VaultFixture {
    address private a = address(0x0a0d);
    address private b = address(0x0a0e);
    uint256 private constant STAKE = 100_000e6;

    function test_the_page_for_providers_shows_this_run() public {
        enter(a);
        enter(b);
        // A loan of 20,000 USD is repaid after a year with 2,000 of lifetime fees.
        bytes32 paying = open(requestOf(seedOf(1), 5_000e6, 50_000), alice, 5_000);
        skip(365 days);
        vm.prank(alice, alice);
        vault.exitByRepaying(paying, alice);
        shows("fees paid, the providers' part", pool.bookOf().unreleasedUsdcUnits);
        shows("share price when they are paid", price());
        skip(84 hours);
        shows("share price 3.5 days later", price());
        skip(84 hours);
        shows("share price 7 days later", price());

        vm.prank(a, a);
        shows("A asks for 100,000 shares: they bring at most", pool.requestRedeem(STAKE * 1e6, 0));
        // A loan of 80,000 USD: its market collapses, no one buys, and the guardian impairs it.
        bytes32 losing = open(requestOf(seedOf(2), 20_000e6, 50_000), alice, 5_000);
        shows("reserve before the loss", pool.bookOf().reserveUsdcUnits);
        vm.prank(guardian, guardian);
        vault.impair(losing, true);
        shows("price of leaving, the loan impaired", price());
        shows("price of entering, the loan impaired", pool.previewMint(1e12));
        skip(24 hours);
        vm.prank(a, a);
        uint256 early = pool.redeem(STAKE * 1e6, a, a);
        shows("A redeems and receives", early);
        resolve(0, 1);
        vault.settle(losing);
        shows("price of leaving and entering, the loss booked", price());
        vm.prank(b, b);
        pool.requestRedeem(STAKE * 1e6, 0);
        skip(24 hours);
        vm.prank(b, b);
        uint256 late = pool.redeem(STAKE * 1e6, b, b);
        shows("B, who stayed until then, receives", late);
    }

    function enter(address who) private {
        usdc.mint(who, STAKE);
        vm.startPrank(who, who);
        usdc.approve(address(pool), STAKE);
        pool.deposit(STAKE, who);
        vm.stopPrank();
    }

    /// @dev Of one share, in USDC units.
    function price() private view returns (uint256) {
        return pool.previewRedeem(1e12);
    }

    /// @dev A row of the page's table; the figure with all six decimals.
    function shows(string memory what, uint256 usdcUnits) private view {
        string memory decimals = vm.toString(1e6 + (usdcUnits % 1e6));
        bytes memory text = bytes(decimals);
        text[0] = ".";
        string memory row = string.concat("| ", what, " | ", vm.toString(usdcUnits / 1e6), string(text), " |\n");
        assertTrue(contains(vm.readFile("../docs/liquidity.md"), row), string.concat("docs/liquidity.md lacks: ", row));
    }

    function contains(string memory text, string memory part) private pure returns (bool) {
        (bytes memory whole, bytes memory wanted) = (bytes(text), bytes(part));
        uint256 length = wanted.length;
        bytes32 digest = keccak256(wanted);
        for (uint256 i = 0; i + length <= whole.length; ++i) {
            if (whole[i] != wanted[0] || whole[i + 2] != wanted[2]) continue;
            bytes32 found;
            assembly ("memory-safe") {
                found := keccak256(add(add(whole, 0x20), i), length)
            }
            if (found == digest) return true;
        }
        return false;
    }
}
