// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ILiquidityPool} from "../../../src/interfaces/ILiquidityPool.sol";
import {VaultFixture} from "../../fixtures/VaultFixture.sol";

/// @notice OpenZeppelin's vault as it is, with as many more decimals in its shares.
contract PlainVault is ERC4626 {
    constructor(IERC20 usdc) ERC20("Plain", "PLAIN") ERC4626(usdc) {}

    function _decimalsOffset() internal pure override returns (uint8) {
        return 6;
    }
}

/// @notice ERC-4626: what is previewed happens, what is within a limit succeeds, what is beyond it is refused; and
/// while nothing is impaired every figure is that of OpenZeppelin's vault with the same shares and assets.
contract Erc4626Test is VaultFixture {
    PlainVault private plain;

    function setUp() public override {
        super.setUp();
        plain = new PlainVault(usdc);
    }

    function testFuzz_figures_are_those_of_a_plain_vault(
        uint256 collateral,
        uint256 elapsed,
        uint256 payout,
        uint256 amount
    ) public {
        disturb(collateral, elapsed, payout);
        usdc.mint(lp, 1_000_000e6);
        vm.startPrank(lp, lp);
        usdc.approve(address(plain), type(uint256).max);
        plain.mint(pool.totalSupply(), lp);
        vm.stopPrank();
        // The same assets: what the plain one holds by balance, this one has by its book.
        uint256 held = usdc.balanceOf(address(plain));
        uint256 assets = pool.totalAssets();
        vm.mockCall(
            address(usdc),
            abi.encodeCall(IERC20.balanceOf, (address(plain))),
            abi.encode(assets)
        );
        assertEq(plain.totalSupply(), pool.totalSupply(), "the same shares");
        assertGe(held, 1, "of a vault that is not empty");
        amount = bound(amount, 0, 1e24);
        assertEq(pool.totalAssets(), plain.totalAssets(), "totalAssets");
        assertEq(pool.convertToShares(amount), plain.convertToShares(amount), "convertToShares");
        assertEq(pool.convertToAssets(amount), plain.convertToAssets(amount), "convertToAssets");
        assertEq(pool.previewDeposit(amount), plain.previewDeposit(amount), "previewDeposit");
        assertEq(pool.previewMint(amount), plain.previewMint(amount), "previewMint");
        assertEq(pool.previewWithdraw(amount), plain.previewWithdraw(amount), "previewWithdraw");
        assertEq(pool.previewRedeem(amount), plain.previewRedeem(amount), "previewRedeem");
        vm.clearMockedCalls();
    }

    function testFuzz_previews_happen_and_no_round_trip_profits(
        uint256 collateral,
        uint256 elapsed,
        uint256 payout,
        uint256 amount,
        bool impaired
    ) public {
        bytes32 left = disturb(collateral, elapsed, payout);
        if (impaired) {
            vm.prank(guardian, guardian);
            vault.impair(left, true);
        }
        amount = bound(amount, 1, 1e12);
        usdc.mint(bob, type(uint128).max);
        vm.startPrank(bob, bob);
        usdc.approve(address(pool), type(uint256).max);
        uint256 preview = pool.previewDeposit(amount);
        assertLe(preview, pool.convertToShares(amount), "who enters pays the exit price at least");
        assertEq(pool.deposit(amount, bob), preview, "deposit");
        assertLe(pool.previewRedeem(preview), amount, "no profit at once");
        uint256 shares = bound(amount, 1, pool.maxMint(bob));
        preview = pool.previewMint(shares);
        assertEq(pool.mint(shares, bob), preview, "mint");
        assertLe(pool.previewRedeem(shares), preview, "no profit at once");
        shares = pool.balanceOf(bob);
        preview = pool.previewRedeem(shares);
        assertEq(pool.requestRedeem(shares, preview), preview, "asked for at the preview");
        skip(24 hours);
        uint256 maximum = pool.maxRedeem(bob);
        assertLe(pool.redeem(maximum, bob, bob), preview, "never more than when it was asked for");
        vm.stopPrank();
        assertSolvent();
    }

    function test_limits() public {
        assertEq(pool.maxDeposit(bob), type(uint64).max / 2 - 500_000e6, "what the book can hold");
        assertEq(pool.maxMint(bob), pool.previewDeposit(pool.maxDeposit(bob)), "the same in shares");
        assertEq(pool.maxWithdraw(lp), 0, "off");
        assertEq(pool.maxRedeem(lp), 0, "nothing is asked for");
        bytes32 key = open();
        vm.prank(guardian, guardian);
        vault.impair(key, true);
        assertEq(pool.maxDeposit(bob), type(uint64).max / 2 - 500_000e6, "an impaired loan has its place in the book");
        usdc.mint(bob, type(uint64).max);
        vm.startPrank(bob, bob);
        usdc.approve(address(pool), type(uint256).max);
        uint256 shares = pool.maxMint(bob);
        uint256 id = vm.snapshotState();
        pool.mint(shares, bob);
        vm.revertToState(id);
        vm.expectPartialRevert(ERC4626.ERC4626ExceededMaxMint.selector);
        pool.mint(shares + 1, bob);
        vm.stopPrank();
    }

    /// @dev Fees, a loss or a gain, and some of the income released: any state a pool may be in. One loan is left.
    function disturb(uint256 collateral, uint256 elapsed, uint256 payout) private returns (bytes32 left) {
        bytes32 paying = open(requestOf(seedOf(1), 1_000e6, 50_000), bob, 5_000);
        bytes32 other = open(requestOf(seedOf(2), bound(collateral, 1e6, 40_000e6), 50_000), alice, 5_000);
        (bytes32 condition, uint256 yes, uint256 no) = (conditionId, yesId, noId);
        (conditionId, yesId, noId) = prepareMarket("other");
        vault.registerOutcome(oracle, "other", 1);
        fundMaker();
        left = open(seeded(3), alice, 5_000);
        (conditionId, yesId, noId) = (condition, yes, no);
        skip(bound(elapsed, 0, 300 days));
        vm.prank(bob, bob);
        vault.exitByRepaying(paying, bob);
        payout = bound(payout, 0, 1_000);
        resolve(payout, 1_000 - payout);
        vault.settle(other);
        skip(bound(elapsed >> 128, 0, 8 days));
    }
}
