import { type CloudWatchClient, DeleteAlarmsCommand, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { ALARM_PREFIX, isRunTimeAlarm } from '../../contract/names.ts';

/** Most alarms that one DeleteAlarms takes (CloudWatch API reference). */
const ALARMS_PER_CALL = 100;

/** Deletes the alarms that observe made, composite ones first since they stand on the others; gives how many there were. */
export async function deleteRunTimeAlarms(cloudwatch: CloudWatchClient): Promise<number> {
  const composite: string[] = [];
  const metric: string[] = [];
  const pages = paginateDescribeAlarms(
    { client: cloudwatch },
    { AlarmNamePrefix: ALARM_PREFIX, AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] },
  );
  for await (const page of pages) {
    composite.push(...namesOf(page.CompositeAlarms));
    metric.push(...namesOf(page.MetricAlarms));
  }
  // A call takes at most one composite alarm (CloudWatch API reference, DeleteAlarms).
  for (const name of composite) await cloudwatch.send(new DeleteAlarmsCommand({ AlarmNames: [name] }));
  for (let from = 0; from < metric.length; from += ALARMS_PER_CALL) {
    await cloudwatch.send(new DeleteAlarmsCommand({ AlarmNames: metric.slice(from, from + ALARMS_PER_CALL) }));
  }
  return composite.length + metric.length;
}

function namesOf(alarms: readonly { readonly AlarmName?: string | undefined }[] | undefined): readonly string[] {
  return (alarms ?? []).map(({ AlarmName }) => AlarmName ?? '').filter(isRunTimeAlarm);
}
