// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ILiquidityPool
/// @notice ERC-4626 over USDC with an internal book. Assets are `idle + lent`; reserve and treasuryOwed stand beside
/// them. USDC sent here without a call changes nothing. Shares leave only through a matured redeem request.
/// @dev Assumptions. Safety: USDC has 6 decimals, no transfer fee and no hooks. Liveness: the pool itself is not on
/// USDC's blacklist.
interface ILiquidityPool {
    /// @notice The internal book, all in USDC units.
    struct Book {
        uint64 idleUsdcUnits;
        uint64 lentUsdcUnits;
        uint64 reserveUsdcUnits;
        uint64 treasuryOwedUsdcUnits;
    }

    /// @notice What the vault books for one position after its USDC has arrived; badDebt brings no USDC.
    struct Booking {
        uint256 principalUsdcUnits;
        uint256 lifetimeFeeUsdcUnits;
        uint256 liquidationFeeUsdcUnits;
        uint256 originationFeeUsdcUnits;
        uint256 recoveredUsdcUnits;
        uint256 badDebtUsdcUnits;
    }

    /// @notice What one outcome has borrowed, and its own cap when it has one.
    struct OutcomeLoan {
        uint64 lentUsdcUnits;
        uint64 capUsdcUnits;
        bool hasCap;
    }

    /// @notice Everything the owner may set.
    struct Parameters {
        uint64 totalCapUsdcUnits;
        uint64 defaultOutcomeCapUsdcUnits;
        uint16 utilisationBps;
        uint16 protocolCutBps;
        uint16 originationReserveBps;
        uint16 reserveTargetBps;
    }

    /// @notice A provider's escrowed shares. They may leave from maturesAt until lapsesAt, at the price of that moment.
    struct RedeemRequest {
        uint128 shares;
        uint40 maturesAt;
        uint40 lapsesAt;
    }

    event Lent(bytes32 indexed positionKey, uint32 indexed outcomeId, address account, uint256 usdcUnits);
    event Booked(bytes32 indexed positionKey, uint32 indexed outcomeId, Booking booking);
    event RedeemRequested(address indexed owner, uint256 shares, uint256 totalShares, uint256 maturesAt);
    event RedeemCancelled(address indexed owner, uint256 shares);
    event Redeemed(address indexed owner, address indexed receiver, uint256 shares, uint256 usdcUnits);
    event ReserveFunded(address indexed from, uint256 usdcUnits);
    event TreasuryPaid(address indexed treasury, uint256 usdcUnits);
    event TreasuryChanged(address indexed treasury);
    event ParametersChanged(Parameters parameters);
    event OutcomeCapChanged(uint32 indexed outcomeId, bool hasCap, uint256 capUsdcUnits);

    error OnlyVault();
    error ZeroAddress();
    error LiquidityExceeded(uint256 requestedUsdcUnits, uint256 freeUsdcUnits);
    error OutcomeCapExceeded(uint32 outcomeId, uint256 requestedUsdcUnits, uint256 freeUsdcUnits);
    error ParameterOutOfRange();
    error NoShares();
    error RequestStillUsable();
    error RequestTooSmall(uint256 shares, uint256 requestedShares);
    error BookNotCovered(uint256 balanceUsdcUnits, uint256 bookedUsdcUnits);

    /// @notice Lends to a position's account, within every cap. Vault only.
    function lend(bytes32 positionKey, uint32 outcomeId, address account, uint256 usdcUnits) external;

    /// @notice Books what a position repaid, paid and lost, after its USDC has arrived. Vault only.
    function book(bytes32 positionKey, uint32 outcomeId, Booking calldata booking) external;

    /// @notice Escrows shares. They mature after 24 h; asking again adds to the escrow and starts the time again.
    function requestRedeem(uint256 shares) external;

    /// @notice Takes escrowed shares back to their owner: by the owner at any time, by anyone once they have lapsed.
    function cancelRedeem(address owner, uint256 shares) external;

    /// @notice Adds the caller's USDC to the reserve, which takes losses before the share price does.
    function fundReserve(uint256 usdcUnits) external;

    /// @notice Sends the treasury what it is owed; open to all.
    function payTreasury() external returns (uint256 usdcUnits);

    /// @notice Sets the treasury. Owner only.
    function setTreasury(address treasury) external;

    /// @notice Sets the parameters, inside the constants' bounds. Owner only.
    function setParameters(Parameters calldata parameters) external;

    /// @notice Gives an outcome its own cap (0 stops lending to it), or returns it to the default one. Owner only.
    function setOutcomeCap(uint32 outcomeId, bool hasCap, uint64 capUsdcUnits) external;

    /// @notice The one vault this pool lends to.
    function vault() external view returns (address vaultAddress);

    /// @notice Receiver of the treasury's share.
    function treasury() external view returns (address treasuryAddress);

    /// @notice The internal book.
    function bookOf() external view returns (Book memory poolBook);

    /// @notice The parameters.
    function parametersOf() external view returns (Parameters memory poolParameters);

    /// @notice What an outcome has borrowed and its cap in force.
    function outcomeLoanOf(
        uint32 outcomeId
    ) external view returns (uint256 lentUsdcUnits, uint256 capUsdcUnits);

    /// @notice A provider's escrow.
    function redeemRequestOf(address owner) external view returns (RedeemRequest memory request);

    /// @notice Shares in escrow of all providers.
    function requestedShares() external view returns (uint256 shares);

    /// @notice What could be lent now before outcome caps:
    /// min(idle − assets of requested withdrawals, total cap − lent, utilisation × assets − lent), floored at 0.
    function freeLiquidity() external view returns (uint256 usdcUnits);

    /// @notice The pool's USDC balance beside what the book says it holds (idle + reserve + treasuryOwed).
    function solvency() external view returns (uint256 balanceUsdcUnits, uint256 bookedUsdcUnits);
}
