import { useState } from 'react';
import { PartButtons } from '../parts/PartButtons.tsx';
import { Distance } from '../positions/Distance.tsx';
import { Warnings } from '../quotes/Warnings.tsx';
import { OrderInputs } from '../ticket/OrderInputs.tsx';
import { SlippageInput } from '../ticket/SlippageInput.tsx';
import type { TicketOrder } from '../ticket/ticketOrder.ts';
import { Case, Section } from './Section.tsx';
import { longText } from './samples.ts';

const market = {
  yes_sub_title: 'Ghost Relay',
  no_sub_title: longText,
  prices: { yes_ask_price_usd_pips: '5250', no_ask_price_usd_pips: null },
  leverage: { min_bps: 10_000, step_bps: 1_000 },
} as const;
const firstOrder: TicketOrder = {
  side: 'yes',
  amount: '250',
  amountKind: 'size',
  leverageBps: 15_000,
  slippageBps: 200,
};

/** Inputs: sides, number field, slider, selection, tabs and buttons. */
export function InputSections() {
  const [order, change] = useState(firstOrder);
  const limit = { maxBps: 25_000, reason: 'Up to 2.5x for this size at this price.' };
  return (
    <>
      <Section name="Order inputs">
        <Case of="number field and slider">
          <form aria-label="Order">
            <OrderInputs
              {...{ market, order, limit, change }}
              largestPips={50_000_000n}
              largestText="Maximum size now $5,000.00."
            />
            <SlippageInput
              slippageBps={order.slippageBps}
              onChange={(slippageBps) => change({ ...order, slippageBps })}
            />
          </form>
        </Case>
        <Case of="loading, parts disabled">
          <form aria-label="Order that loads">
            <OrderInputs
              {...{ market, order, change }}
              limit={{ maxBps: 25_000, reason: null }}
              largestPips={null}
              largestText=""
            />
          </form>
        </Case>
        <Case of="broken">
          <form aria-label="Order that is refused">
            <OrderInputs
              {...{ market, order, change }}
              limit={{ maxBps: 25_000, reason: longText }}
              largestPips={0n}
              largestText={longText}
            />
            <Warnings warnings={['The round trip costs 31.0 % of the collateral.', longText]} />
          </form>
        </Case>
      </Section>
      <Section name="PartButtons">
        <PartButtons isDisabled={(quarters) => quarters === 3n} onChoose={() => undefined} />
      </Section>
      <TabSection />
      <ButtonSection />
      <Section name="Messages">
        <p className="banner">Live connection lost. Figures may be stale. Reconnecting …</p>
        <p role="alert">{longText}</p>
      </Section>
      <Section name="Distance">
        {[9_000, 2_000].map((healthBps) => (
          <p key={healthBps}>
            <Distance position={{ risk: riskOf(healthBps) }} />
          </p>
        ))}
        <p>
          <Distance position={{ risk: { ...riskOf(0), current_liquidation_price_usd_pips: '0' } }} />
        </p>
      </Section>
    </>
  );
}

const riskOf = (healthBps: number) => ({
  current_liquidation_price_usd_pips: '4000',
  health_bps: healthBps,
  liquidation_buffer_bps: healthBps / 10,
});

function ButtonSection() {
  return (
    <Section name="Buttons">
      <Case of="enabled">
        <div className="row">
          <button type="button">Review</button>
          <button type="button" className="quiet">
            Cancel
          </button>
          <button type="button" className="danger-button">
            Sell now
          </button>
          <button type="button" className="quiet small">
            Copy
          </button>
        </div>
      </Case>
      <Case of="disabled, with its reason">
        <button type="button" disabled aria-describedby="disabled-hint">
          Deposit
        </button>
        <p id="disabled-hint" className="hint">
          Sign in with a wallet to deposit.
        </p>
      </Case>
    </Section>
  );
}

const tabs = ['Open (2)', 'Closed (14)', 'All, with a longer name'] as const;

function TabSection() {
  const [selected, setSelected] = useState<string>(tabs[0]);
  return (
    <Section name="Tabs">
      <div className="choices">
        {tabs.map((tab) => (
          <button key={tab} type="button" aria-pressed={tab === selected} onClick={() => setSelected(tab)}>
            {tab}
          </button>
        ))}
      </div>
    </Section>
  );
}
