// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ILiquidityPool} from "./interfaces/ILiquidityPool.sol";
import {LiquidityPool} from "./LiquidityPool.sol";
import {PositionAccount} from "./PositionAccount.sol";

/// @title VaultParts
/// @notice The code of the vault's pool and account, apart from the vault's own. A linked library that the vault's
/// constructor calls once: what it creates is created by the vault, and sees the vault as its creator.
library VaultParts {
    /// @notice Arguments of pool and account.
    struct Made {
        address owner;
        address treasury;
        address usdc;
        address conditionalTokens;
        address ctfCollateral;
        address redeemer;
        address exchange;
        address positionManager;
        address positionRouter;
        ILiquidityPool.Parameters poolParameters;
    }

    /// @notice Deploys the pool and the code behind every account.
    /// @return pool the pool
    /// @return accountImplementation what every account is a clone of
    function deploy(Made calldata m) external returns (address pool, address accountImplementation) {
        pool = address(new LiquidityPool(IERC20(m.usdc), m.owner, m.treasury, m.poolParameters));
        accountImplementation = address(
            new PositionAccount(
                m.usdc,
                m.conditionalTokens,
                m.ctfCollateral,
                m.redeemer,
                m.exchange,
                m.positionManager,
                m.positionRouter
            )
        );
    }
}
