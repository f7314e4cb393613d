import { Controller, Get as Read } from '@nestjs/common';

@Controller()
export class Renamed {
	@Read('/renamed')
	read() {
		return 'renamed';
	}
}
