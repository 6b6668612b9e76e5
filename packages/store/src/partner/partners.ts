import type { PartnerTerms } from '@core/policy';

export type Environment = 'production' | 'sandbox';

/** The environment a column names; a row with any other word was not written by this service. */
export function environmentOf(name: string): Environment {
  if (name !== 'production' && name !== 'sandbox') {
    throw new Error(`not an environment: ${name}`);
  }
  return name;
}

/** A partner of one environment. The same company has one record in each. */
export interface PartnerRecord {
  /** `ptn_…` */
  readonly id: string;
  /** Unique in its environment's database. */
  readonly name: string;
  readonly environment: Environment;
  readonly terms: PartnerTerms;
  readonly createdAtMs: number;
}

export interface PartnerStore {
  create(partner: Omit<PartnerRecord, 'id'>): Promise<PartnerRecord>;
  byId(id: string): Promise<PartnerRecord | null>;
  byName(name: string): Promise<PartnerRecord | null>;
  /** All partners by name. */
  list(): Promise<readonly PartnerRecord[]>;
  /** False when the partner does not exist. Open positions keep the terms they were signed with. */
  updateTerms(id: string, terms: PartnerTerms): Promise<boolean>;
}
