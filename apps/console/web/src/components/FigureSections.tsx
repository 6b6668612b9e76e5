import { ExplorerLink } from '../parts/ExplorerLink.tsx';
import { Change, Fact } from '../parts/Fact.tsx';
import { Figure } from '../parts/Figure.tsx';
import { OutsideLink } from '../parts/OutsideLink.tsx';
import { PriceChange } from '../parts/PriceChange.tsx';
import { Result } from '../parts/Result.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { ShortHash } from '../parts/ShortHash.tsx';
import { SideMark } from '../parts/SideMark.tsx';
import { Sparkline } from '../parts/Sparkline.tsx';
import { Case, Section } from './Section.tsx';
import { hash, longText } from './samples.ts';

/** Figures and marks: texts with a unit, a sign and a colour. */
export function FigureSections() {
  return (
    <>
      <FactSection />
      <Section name="Figure">
        <Figure>52.5 ¢</Figure>
      </Section>
      <Section name="Sentence">
        <Sentence text="Up to 2.5x for this size at 52.5 ¢." />
      </Section>
      <Section name="Result">
        <Case of="gain">
          <Result pips="125000" bps={130} />
        </Case>
        <Case of="loss">
          <Result pips="-125000" bps={-130} />
        </Case>
        <Case of="zero">
          <Result pips="0" />
        </Case>
      </Section>
      <Section name="PriceChange">
        <Case of="gain">
          <PriceChange pips="150" />
        </Case>
        <Case of="loss">
          <PriceChange pips="-150" />
        </Case>
        <Case of="zero and unknown">
          <PriceChange pips="0" /> <PriceChange pips={null} />
        </Case>
      </Section>
      <Section name="SideMark">
        <SideMark side="yes" /> <SideMark side="no" />
      </Section>
      <LinkSections />
      <Section name="Sparkline">
        <Case of="gain, loss, unchanged">
          <Sparkline values={[1, 3, 2, 4]} />
          <Sparkline values={[4, 2, 3, 1]} />
          <Sparkline values={[2, 2]} />
        </Case>
        <Case of="without a direction">
          <Sparkline isPlain values={[1, 5, 1, 2]} />
          <Sparkline isPlain values={[1, 2, null, null, 4, 3]} />
        </Case>
        <Case of="too short">
          <Sparkline values={[1]} />
          <p className="hint">Draws nothing.</p>
        </Case>
      </Section>
    </>
  );
}

function FactSection() {
  return (
    <Section name="Fact">
      <Case of="in a list">
        <dl>
          <Fact name="Collateral">$1,234.50</Fact>
          <Fact name="Unknown">–</Fact>
          <Fact name="Long text">{longText}</Fact>
          <Change name="Liquidation price" before="42.0 ¢" after="39.5 ¢" />
        </dl>
      </Case>
      <Case of="stale">
        <dl className="stale">
          <Fact name="Bid">52.5 ¢</Fact>
        </dl>
      </Case>
      <Case of="headline">
        <dl className="headline">
          <Fact name="Total value">$36,863.23</Fact>
          <Fact name="Profit">
            <Result pips="125000" />
          </Fact>
          <Fact name="Loss">
            <Result pips="-125000" />
          </Fact>
        </dl>
      </Case>
    </Section>
  );
}

function LinkSections() {
  return (
    <>
      <Section name="OutsideLink">
        <Case of="web address">
          <OutsideLink text="https://www.hltv.org" />
        </Case>
        <Case of="no web address">
          <OutsideLink text="javascript:alert(1)" />
        </Case>
      </Section>
      <Section name="ExplorerLink">
        <ExplorerLink kind="address" id={hash} text="0x3f1c…c890" explorerUrl="https://explorer.example" />
      </Section>
      <Section name="ShortHash">
        <Case of="without an explorer">
          <ShortHash hash={hash} explorerUrl={null} />
        </Case>
        <Case of="with an explorer">
          <ShortHash hash={hash} explorerUrl="https://explorer.example" />
        </Case>
      </Section>
    </>
  );
}
