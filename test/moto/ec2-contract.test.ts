import { ec2Suite } from '../contract/ec2-suite.ts';
import { MOTO_ACCOUNT_ID, startMoto } from './moto.ts';

/** Of moto 5.2.5 (`TagBackend.create_tags`, `SubnetCidrReservation`). */
const GAPS = ['tag-text-is-not-checked', 'reservations-have-no-description'] as const;

ec2Suite(
  'moto',
  async () => {
    const moto = await startMoto();
    return { url: moto.url, account: MOTO_ACCOUNT_ID, stop: moto.stop };
  },
  GAPS,
);
