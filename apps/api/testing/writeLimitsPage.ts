import { writeLimitsPage } from './limitsPage.ts';

writeLimitsPage();
