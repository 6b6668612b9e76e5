// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title TestUsdc
/// @notice USDC for local use: 6 decimals, ERC-2612, anyone may mint, and a blacklist anyone may switch.
contract TestUsdc is ERC20, ERC20Permit {
    error Blacklisted(address account);

    event BlacklistChanged(address indexed account, bool blacklisted);

    /// @notice Returns whether an address may neither send nor receive.
    mapping(address account => bool blacklisted) public isBlacklisted;

    /// @dev Length of the list; while it is 0 a transfer reads no other word of it, as with the real token.
    uint256 private _blacklistedCount;

    constructor() ERC20("USD Coin", "USDC") ERC20Permit("USD Coin") {}

    /// @notice Creates USDC out of nothing.
    function mint(address to, uint256 usdcUnits) external {
        _mint(to, usdcUnits);
    }

    /// @notice Puts an address on the blacklist or takes it off.
    function setBlacklisted(address account, bool blacklisted) external {
        if (isBlacklisted[account] == blacklisted) return;
        isBlacklisted[account] = blacklisted;
        if (blacklisted) ++_blacklistedCount;
        else --_blacklistedCount;
        emit BlacklistChanged(account, blacklisted);
    }

    /// @notice As ERC-20. The real token checks owner and spender of every approval, also of one of nothing.
    function approve(address spender, uint256 usdcUnits) public override returns (bool) {
        if (_blacklistedCount != 0) {
            if (isBlacklisted[msg.sender]) revert Blacklisted(msg.sender);
            if (isBlacklisted[spender]) revert Blacklisted(spender);
        }
        return super.approve(spender, usdcUnits);
    }

    /// @notice Six decimals, as the real one.
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @dev The real token checks sender and receiver of every transfer.
    function _update(address from, address to, uint256 usdcUnits) internal override {
        if (_blacklistedCount != 0) {
            if (isBlacklisted[from]) revert Blacklisted(from);
            if (isBlacklisted[to]) revert Blacklisted(to);
        }
        super._update(from, to, usdcUnits);
    }
}
